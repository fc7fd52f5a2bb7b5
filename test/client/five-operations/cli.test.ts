import { play } from "../../cli/played-terminal.js";
import {
  connectionId,
  type FiveOperations,
  keyId,
  manyProjects,
  refusals,
  startFiveOperations,
} from "./service.js";

describe.each(refusals)(
  "the command line of a service with just the five operations (%s for the rest)",
  (refusal) => {
    let service: FiveOperations;
    beforeEach(async () => {
      service = await startFiveOperations(refusal);
      service.projects.push(...manyProjects(150));
    });
    afterEach(() => service.close());

    test("projects list shows all projects, and projects get finds a project by id or name", async () => {
      const { out, exitCode } = await play(service, ["projects", "list", "--json"]);
      expect([exitCode, (JSON.parse(out) as unknown[]).length]).toEqual([0, 150]);
      const { id, name } = manyProjects(150)[149] ?? { id: "", name: "" };
      for (const given of [id, name]) {
        const shown = await play(service, ["projects", "get", given, "--json"]);
        expect([shown.exitCode, JSON.parse(shown.out)]).toEqual([0, expect.objectContaining({ id, name })]);
      }
      expect((await play(service, ["projects", "get", "nobody"])).exitCode).toBe(3);
    });

    test("projects limits shows the limits of a project by id or name", async () => {
      const { id, name } = manyProjects(150)[120] ?? { id: "", name: "" };
      for (const given of [id, name]) {
        const { exitCode, out } = await play(service, ["projects", "limits", given]);
        expect([exitCode, out]).toEqual([0, expect.stringMatching(/CONCURRENT SESSIONS +7\n/)]);
      }
    });

    test("api-keys rename renames a key whose previous name the service cannot report", async () => {
      const { exitCode, out, err } = await play(service, ["api-keys", "rename", keyId, "deploys"]);
      expect([exitCode, out, err]).toEqual([0, `Renamed API key ${keyId} to "deploys".\n`, ""]);
      const json = await play(service, ["api-keys", "rename", keyId, "deploys", "--json"]);
      expect(JSON.parse(json.out)).toMatchObject({ id: keyId, name: "deploys", previousName: null });
    });

    test("login follow follows a login to the end", async () => {
      const { exitCode, out, err } = await play(service, ["login", "follow", connectionId]);
      expect([exitCode, out]).toEqual([0, "The login succeeded.\n"]);
      expect(err).toContain("looking for the login form");
      const json = await play(service, ["login", "follow", connectionId, "--json"]);
      expect(json.exitCode).toBe(0);
      expect(
        json.out
          .trim()
          .split("\n")
          .map((line) => (JSON.parse(line) as { event: string }).event),
      ).toEqual(["managed_auth_state", "managed_auth_state"]);
    });

    test("whoami reports whether the service accepts the key", async () => {
      const { exitCode, out } = await play(service, ["whoami", "--json"]);
      expect([exitCode, JSON.parse(out)]).toEqual([
        0,
        expect.objectContaining({ accepted: true, identity: null }),
      ]);
      const refused = await play(service, ["whoami", "--json"], {
        env: { BROWSER_INFRA_API_KEY: "sk_wrong" },
      });
      expect([refused.exitCode, JSON.parse(refused.out)]).toEqual([
        1,
        expect.objectContaining({ accepted: false }),
      ]);
    });
  },
);
