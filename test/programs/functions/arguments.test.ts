import * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../../src/emulator/index.js";
import {
  getApiKey,
  getApiKeys,
  getBrowserPools,
  getExtension,
  getOrganizationLimits,
  getProject,
  getProjectLimits,
  getProjects,
} from "../../../src/index.js";
import { errorOf } from "../../support/error-of.js";
import { startService } from "./service.js";

let emulator: Emulator;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ emulator, stop } = await startService());
});

afterAll(() => stop());

type Loose = (args: unknown) => Promise<unknown>;

describe("arguments of functions", () => {
  test.each<[string, unknown, unknown, string, string, string]>([
    [
      "none of two",
      getProject,
      {},
      "argument_missing",
      "id",
      'getProject: None of "id", "name" is given. Give exactly one, as in { id: "…" }.',
    ],
    [
      "both of two",
      getExtension,
      { id: "a", name: "b" },
      "arguments_conflicting",
      "name",
      'getExtension: Both "id" and "name" are given. Give exactly one.',
    ],
    [
      "none of one",
      getApiKey,
      { id: undefined },
      "argument_missing",
      "id",
      'getApiKey: None of "id", "name" is given. Give exactly one, as in { id: "…" }.',
    ],
    [
      "an unknown argument",
      getProjectLimits,
      { projectID: "a" },
      "argument_unknown",
      "projectID",
      'getProjectLimits: There is no argument "projectID". Use "projectId", "projectName".',
    ],
    [
      "an argument where there is none",
      getOrganizationLimits,
      { projectId: "a" },
      "argument_unknown",
      "projectId",
      'getOrganizationLimits: There is no argument "projectId". Leave all arguments out.',
    ],
    [
      "a filter that is null",
      getProjects,
      { name: null },
      "argument_invalid",
      "name",
      'getProjects: "name" must not be null. Leave it out, or give a value.',
    ],
    [
      "an unknown status",
      getProjects,
      { status: "actve" },
      "argument_invalid",
      "status",
      'getProjects: "status" must be "active" or "archived". Leave it out for both.',
    ],
    [
      "a limit of zero",
      getProjects,
      { limit: 0 },
      "option_invalid",
      "limit",
      'getProjects: "limit" must be an integer of at least 1. Leave it out to use the default.',
    ],
    [
      "an empty name",
      getApiKeys,
      { name: "" },
      "filter_invalid",
      "name",
      'getApiKeys: "name" must be a string of 1 to 255 characters.',
    ],
    [
      "an id with a slash",
      getProject,
      { id: "a/b" },
      "id_invalid",
      "id",
      'getProject: "id" has one of the characters / \\ ? # %. Pass the project\'s id as the service shows it.',
    ],
    [
      "an Output",
      getProject,
      { id: pulumi.output("a") },
      "argument_unresolved",
      "id",
      'getProject: "id" is an Output or a Promise, and this function does not wait for it. Use getProjectOutput.',
    ],
    [
      "a number for an id",
      getProject,
      { id: 7 },
      "id_invalid",
      "id",
      'getProject: "id" is empty. Pass the project\'s id as the service shows it.',
    ],
    [
      "an id with a slash, under another name",
      getProjectLimits,
      { projectId: "a/b" },
      "id_invalid",
      "projectId",
      'getProjectLimits: "projectId" has one of the characters / \\ ? # %. Pass the project\'s id as the service shows it.',
    ],
    [
      "an empty name, under another name",
      getProjectLimits,
      { projectName: "" },
      "filter_invalid",
      "projectName",
      'getProjectLimits: "projectName" must be a string of 1 to 255 characters.',
    ],
    [
      "a project that is no id",
      getBrowserPools,
      { projectId: "my project" },
      "id_invalid",
      "projectId",
      'getBrowserPools: The project id from argument projectId has a space, a line break, a control or a non-ASCII character; copy the value again without such characters. Give the id of a project, not the name: "browser-infra projects list" shows the ids.',
    ],
    [
      "nothing",
      getProject,
      undefined,
      "argument_invalid",
      "args",
      'getProject: "args" must be an object with "id", "name".',
    ],
    [
      "a list",
      getProject,
      ["id"],
      "argument_invalid",
      "args",
      'getProject: "args" must be an object with "id", "name".',
    ],
  ])(
    "a function refuses %s as arguments before any request",
    async (_what, ask, args, code, property, message) => {
      const error = await errorOf((ask as Loose)(args));
      expect(error).toMatchObject({ name: "InputError", code, property, message });
      expect(emulator.requests).toEqual([]);
    },
  );
});
