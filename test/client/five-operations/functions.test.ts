import { getProject, getProjectLimits, getProjects } from "../../../src/index.js";
import { errorOf } from "../../support/error-of.js";
import { type FiveOperations, manyProjects, refusals, startFiveOperations } from "./service.js";

describe.each(refusals)(
  "functions of a service with just the five operations (%s for the rest)",
  (refusal) => {
    const before = { ...process.env };
    let service: FiveOperations;
    beforeEach(async () => {
      service = await startFiveOperations(refusal);
      service.projects.push(...manyProjects(150));
      process.env.BROWSER_INFRA_API_KEY = service.apiKeys[0];
      process.env.BROWSER_INFRA_BASE_URL = service.url;
    });
    afterEach(async () => {
      process.env = { ...before };
      await service.close();
    });

    test("getProjects lists all projects, and getProject finds a project by id or name", async () => {
      expect((await getProjects()).projects).toHaveLength(150);
      const last = manyProjects(150)[149] ?? { id: "", name: "" };
      expect(await getProject({ id: last.id })).toMatchObject(last);
      expect(await getProject({ name: last.name })).toMatchObject(last);
    });

    test("getProjectLimits reads the limits of a project by id or name", async () => {
      const { id, name } = manyProjects(150)[120] ?? { id: "", name: "" };
      const limits = { projectId: id, projectName: name, maxConcurrentSessions: 7 };
      expect(await getProjectLimits({ projectId: id })).toMatchObject(limits);
      expect(await getProjectLimits({ projectName: name })).toMatchObject(limits);
    });

    test("the error for a project's name in place of an id shows the project's id", async () => {
      const error = await errorOf(getProjectLimits({ projectId: "project-7" }));
      expect(error).toMatchObject({ name: "InputError", code: "id_invalid", property: "projectId" });
      expect(error.message).toContain(
        `"projectId" is a project's name; its id is ${manyProjects(8)[7]?.id}.`,
      );
    });
  },
);
