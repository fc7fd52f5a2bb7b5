import * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../src/emulator/index.js";
import {
  getApiKey,
  getApiKeys,
  getExtension,
  getOrganizationLimits,
  getProject,
  getProjectLimits,
  getProjects,
} from "../../src/index.js";
import { errorOf } from "../support/error-of.js";
import { startService } from "./service.js";

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
      'getApiKey: "id" is missing. Give it, as in { id: "…" }.',
    ],
    [
      "an unknown argument",
      getProjectLimits,
      { projectID: "a" },
      "projectID",
      'getProjectLimits: There is no argument "projectID". Use "projectId", "projectName".',
    ],
    [
      "an argument where there is none",
      getOrganizationLimits,
      { projectId: "a" },
      "projectId",
      'getOrganizationLimits: There is no argument "projectId". Leave all arguments out.',
    ],
    [
      "a filter that is null",
      getProjects,
      { name: null },
      "name",
      'getProjects: "name" must not be null. Leave it out, or give a value.',
    ],
    [
      "an unknown status",
      getProjects,
      { status: "actve" },
      "status",
      'getProjects: "status" must be "active" or "archived". Leave it out for both.',
    ],
    [
      "a limit of zero",
      getProjects,
      { limit: 0 },
      "limit",
      'getProjects: "limit" must be an integer of at least 1. Leave it out to use the default.',
    ],
    [
      "an empty name",
      getApiKeys,
      { name: "" },
      "name",
      'getApiKeys: "name" must be a string of 1 to 255 characters.',
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
      'getProject: "id" is an Output or a Promise, and this function does not wait for it. Use getProjectOutput.',
    ],
    ["nothing", getProject, undefined, "args", 'getProject: "args" must be an object with "id", "name".'],
    ["a string", getProject, "staging", "args", 'getProject: "args" must be an object with "id", "name".'],
  ])("that are %s are refused before any request", async (_what, ask, args, property, message) => {
    const error = await errorOf((ask as Loose)(args));
    expect(error).toMatchObject({ name: "InputError", property, message });
    expect(emulator.requests).toEqual([]);
  });
});
