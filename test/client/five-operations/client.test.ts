import { BrowserInfraClient } from "../../../src/client/index.js";
import { errorOf } from "../../support/error-of.js";
import {
  connectionId,
  type FiveOperations,
  keyId,
  manyProjects,
  refusals,
  startFiveOperations,
} from "./service.js";

describe.each(refusals)(
  "the client of a service with just the five operations (%s for the rest)",
  (refusal) => {
    let service: FiveOperations;
    let client: BrowserInfraClient;
    beforeEach(async () => {
      service = await startFiveOperations(refusal);
      client = new BrowserInfraClient({ apiKey: service.apiKeys[0], baseUrl: service.url });
    });
    afterEach(async () => {
      await client.close();
      await service.close();
    });

    test.each([0, 1, 99, 100, 101, 199, 200, 250, 1_000])(
      "the client lists all of %i projects",
      async (count) => {
        service.projects.push(...manyProjects(count));
        expect((await client.projects.list()).map(({ id }) => id)).toEqual(
          manyProjects(count).map(({ id }) => id),
        );
        // A full page may have a successor, any other page is the last.
        expect(service.requests).toHaveLength(count < 100 ? 1 : 1 + Math.floor((count - 1) / 99));
      },
    );

    test("the client finds a project by name, and by id in the list of projects", async () => {
      service.projects.push(...manyProjects(230));
      const last = manyProjects(230)[229] ?? { id: "", name: "" };
      expect(await client.projects.get(last.id)).toMatchObject(last);
      expect(await client.projects.getByName(last.name)).toMatchObject(last);
    });

    test("the error for an unknown project id explains that the list of projects was searched", async () => {
      service.projects.push(...manyProjects(3));
      const error = await errorOf(client.projects.get("ckp9"));
      expect(error).toMatchObject({ name: "LookupError", code: "id_not_found" });
      expect(error.message).toBe(
        `There is no project with the id "ckp9" in the list of projects, which was searched because the service cannot read a single project (status ${refusal.slice(0, 3)}). Check the project's id (a name is not an id; getByName finds by name), and that this API key has access to the project.`,
      );
    });

    test("the client reads limits, renames a key and follows a login", async () => {
      service.projects.push(...manyProjects(3));
      expect(await client.projects.limits(manyProjects(3)[2]?.id ?? "")).toEqual({
        maxConcurrentSessions: 7,
        maxConcurrentInvocations: null,
        maxPooledSessions: null,
      });
      expect(await client.apiKeys.rename(keyId, "deploys")).toMatchObject({ id: keyId, name: "deploys" });
      expect(await client.authConnections.waitForLogin(connectionId)).toMatchObject({
        flowStatus: "SUCCESS",
      });
      expect(await client.authConnections.waitForAuthentication(connectionId)).toMatchObject({
        flowStatus: "SUCCESS",
        origin: "stream",
      });
    });
  },
);
