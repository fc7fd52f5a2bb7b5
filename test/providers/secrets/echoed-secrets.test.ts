import { join } from "node:path";
import { kinds, type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import { shows, spellings } from "../../base/text/spellings.js";
import { writeApp } from "../../emulator/apps/app-code.js";
import { PlayedProgram } from "../played-program.js";
import { canary, secretExamples, secretsOf } from "./secret-examples.js";

describe("a secret input that the service repeats in an error", () => {
  test("X2: every secret input of every kind has an example in the tests of repeated secrets", () => {
    const declared = resourceKinds.flatMap((kind) =>
      secretsOf(kinds[kind].inputs).map((input) => `${kind}.${input}`),
    );
    expect(Object.keys(secretExamples).sort()).toEqual([...declared].sort());
  });

  describe.each(Object.entries(secretExamples))("%s", (input, example) => {
    const { secret, word = canary, other = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", inputs } = example;
    const kind = input.split(".")[0] as Extract<
      ResourceKind,
      "AppDeployment" | "Credential" | "CredentialProvider" | "Proxy" | "TelemetryDestination"
    >;

    async function started(): Promise<PlayedProgram> {
      const program = await PlayedProgram.start(kind);
      writeApp(join(program.folder, "app"));
      return program;
    }

    /** Messages of the deployment of a resource with the secret, after a refusal of the request. */
    async function saidWhenRefused(program: PlayedProgram, method: string, spelled: string): Promise<string> {
      const message = `The value ${spelled} cannot be used.`;
      const body = { code: "bad_request", message, details: [{ code: "x", message: `see ${spelled}` }] };
      const answer = { status: 400, body, headers: { "x-request-id": encodeURIComponent(spelled) } };
      program.emulator.faults.add({ method, at: "before-commit", times: 1, action: { answer } });
      const failed = await program.up(inputs(secret, "")).catch((error: Error) => error.message);
      program.emulator.faults.clear();
      return [failed, ...program.messages].join("\n");
    }

    test.each(Object.entries(spellings))(
      "X2: no message contains a secret that the service repeats in an error, %s",
      async (_how, spell) => {
        const spelled = spell(secret);
        const program = await started();
        const created = await saidWhenRefused(program, "POST", spelled);
        expect(created).toContain("The value ");
        expect(created).toContain("[redacted]");
        expect(shows(created, word)).toBe(false);

        // Only a proxy is created anew, and then renamed; new code is a new deployment.
        const another = await started();
        await another.up(inputs(other, ""));
        const changed = await saidWhenRefused(another, kind === "AppDeployment" ? "POST" : "PATCH", spelled);
        expect(changed).toContain("[redacted]");
        expect(shows(changed, word)).toBe(false);
      },
    );
  });
});
