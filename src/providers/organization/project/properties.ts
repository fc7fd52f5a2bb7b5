import type { Project } from "../../../client/index.js";
import { projectNameProblem } from "../../../client/names.js";
import { marks } from "../../core/marks.js";
import { type CheckFailure, undeclaredInputs } from "../../lifecycle.js";
import {
  type DeclaredOf,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  t,
  unknownValue,
} from "../../properties.js";

/** Inputs of a Project as returned by `check`. */
export const projectInputs = new Properties({
  name: t.string,
  /** Action on the project when the resource is deleted. */
  onDelete: t.oneOf({
    delete: "Deletes the project. The default.",
    archive: "Archives the project.",
    keep: "Leaves the project unchanged.",
  }),
  /** `check` always declares an active project, so that a preview shows an archived project. */
  status: { ...t.string, isFilledIn: true },
});
export type ProjectInputs = PropertiesOf<typeof projectInputs>;
type DeclaredProject = DeclaredOf<typeof projectInputs>;

export const projectState = new Properties({
  ...projectInputs.types,
  ...marks,
  createdAt: t.string,
  updatedAt: t.string,
});
export type ProjectState = PropertiesOf<typeof projectState>;

/** Status of every declared project. */
export const declaredStatus = "active";

/** Outputs from the service's record of a project. */
export function liveProperties({ name, status, createdAt, updatedAt }: Project): ProjectState {
  return { name, status, createdAt: createdAt ?? undefined, updatedAt: updatedAt ?? undefined };
}

/** Reports all invalid inputs of a Project at once. Unknown values pass. */
export function projectFailures(news: PropertyMap, olds: ProjectInputs | undefined): CheckFailure[] {
  const failures = undeclaredInputs(news, projectInputs, "A Project");
  const fail = (property: string, reason: string) => {
    failures.push({ property, reason });
  };
  const { name, onDelete, status }: DeclaredProject = projectInputs.readDeclared(news);
  if (news.name !== undefined && name !== unknownValue) {
    const problem = nameProblem(name);
    if (problem !== undefined) {
      fail("name", `The project's "name" ${problem}.`);
    }
  }
  if (news.onDelete !== undefined && onDelete === undefined) {
    fail("onDelete", '"onDelete" must be "delete" (the default), "archive" or "keep".');
  }
  // The option `ignoreChanges` gives the old status.
  if (news.status !== undefined && status !== unknownValue && status !== olds?.status) {
    fail(
      "status",
      '"status" cannot be set: a declared project is active. To archive it, delete the resource with onDelete: "archive".',
    );
  }
  return failures;
}

function nameProblem(name: string | undefined): string | undefined {
  if (name === undefined) {
    return "must be a string; leave it out to get a unique one";
  }
  // The service may trim names: the live name would then differ from the declared name for ever.
  if (/^[\s\u0085]|[\s\u0085]$/u.test(name)) {
    return "must not start or end with whitespace";
  }
  return projectNameProblem(name);
}
