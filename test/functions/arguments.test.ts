import * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../src/emulator/index.js";
import {
  getApiKey,
  getApiKeys,
  getExtension,
  getProject,
  getProjectLimits,
  getProjects,
} from "../../src/index.js";
import { errorOf, startService } from "./service.js";

let emulator: Emulator;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ emulator, stop } = await startService());
});

afterAll(() => stop());

type Loose = (args: unknown) => Promise<unknown>;

describe("arguments of functions", () => {
  test.each<[string, unknown, unknown, string, string]>([
    [
      "none of two",
      getProject,
      {},
      "id",
      'getProject: None of "id", "name" is given. Give exactly one, as in { id: "…" }.',
    ],
    [
      "both of two",
      getExtension,
      { id: "a", name: "b" },
      "name",
      'getExtension: Both "id" and "name" are given. Give exactly one of them.',
    ],
    [
      "none of one",
      getApiKey,
      { id: undefined },
      "id",
      'getApiKey: "id" is missing. Give exactly one, as in { id: "…" }.',
    ],
    [
      "one that there is not",
      getProjectLimits,
      { projectID: "a" },
      "projectID",
      'getProjectLimits: There is no argument "projectID". It takes "projectId", "projectName".',
    ],
    [
      "a filter that is null",
      getProjects,
      { name: null },
      "name",
      'getProjects: "name" is null, which is no value to look for.',
    ],
    [
      "a status that there is not",
      getProjects,
      { status: "actve" },
      "status",
      'getProjects: "status" is neither "active" nor "archived". Give one of them, or leave it out for both.',
    ],
    [
      "a limit of none",
      getProjects,
      { limit: 0 },
      "limit",
      'getProjects: "limit" must be a whole number of at least 1, or be left out.',
    ],
    [
      "an empty name",
      getApiKeys,
      { name: "" },
      "name",
      'getApiKeys: "name" must have 1 to 255 characters, or be left out.',
    ],
    [
      "an id with a slash",
      getProject,
      { id: "a/b" },
      "id",
      'getProject: "id" has one of the characters / \\ ? # %. Pass the project\'s id as the service shows it.',
    ],
    [
      "an Output",
      getProject,
      { id: pulumi.output("a") },
      "id",
      'getProject: "id" is an Output or a Promise, for which this form does not wait. Use getProjectOutput, which does.',
    ],
    ["nothing", getProject, undefined, "args", 'getProject: "args" is not an object. It takes "id", "name".'],
    ["a text", getProject, "staging", "args", 'getProject: "args" is not an object. It takes "id", "name".'],
  ])("that are %s are refused before any request", async (_what, ask, args, property, message) => {
    const error = await errorOf((ask as Loose)(args));
    expect(error).toMatchObject({ name: "InputError", property, message });
    expect(emulator.requests).toEqual([]);
  });
});
