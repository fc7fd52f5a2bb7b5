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

  test.each(Object.entries(secretExamples))(
    "X2: no message contains the secret of %s, however the service spells it in an error",
    async (input, example) => {
      const { secret, word = canary, other = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", inputs } = example;
      const kind = input.split(".")[0] as Extract<
        ResourceKind,
        "AppDeployment" | "Credential" | "CredentialProvider" | "Proxy" | "TelemetryDestination"
      >;
      const program = await PlayedProgram.start(kind);
      writeApp(join(program.folder, "app"));

      /** Messages of the deployment of a resource with the secret, after a refusal of the request. */
      async function saidWhenRefused(method: string, spelled: string): Promise<string> {
        const message = `The value ${spelled} cannot be used.`;
        const body = { code: "bad_request", message, details: [{ code: "x", message: `see ${spelled}` }] };
        const answer = { status: 400, body, headers: { "x-request-id": encodeURIComponent(spelled) } };
        program.emulator.faults.add({ method, at: "before-commit", times: 1, action: { answer } });
        const before = program.messages.length;
        const failed = await program.up(inputs(secret, "")).catch((error: Error) => error.message);
        program.emulator.faults.clear();
        return [failed, ...program.messages.slice(before)].join("\n");
      }

      /** Spellings whose refusal names no redacted value, or the secret. */
      async function wronglySaid(method: string): Promise<string[]> {
        const wrong: string[] = [];
        for (const [how, spell] of Object.entries(spellings)) {
          const said = await saidWhenRefused(method, spell(secret));
          if (!said.includes("The value ") || !said.includes("[redacted]") || shows(said, word)) {
            wrong.push(`${how}: ${said}`);
          }
        }
        return wrong;
      }

      expect(await wronglySaid("POST")).toEqual([]);
      // Only a proxy is created anew, and then renamed; new code is a new deployment.
      await program.up(inputs(other, ""));
      expect(await wronglySaid(kind === "AppDeployment" ? "POST" : "PATCH")).toEqual([]);
    },
  );
});
