import type { Project } from "../../client/index.js";
import { projectNameProblem } from "../../client/names.js";
import { marks } from "../core/marks.js";
import { type CheckFailure, undeclaredInputs } from "../lifecycle.js";
import {
  type DeclaredOf,
  Properties,
  type PropertiesOf,
  type PropertyMap,
  t,
  unknownValue,
} from "../properties.js";

/** The inputs of a Project, as `check` returns them. */
export const projectInputs = new Properties({
  name: t.string,
  /** What becomes of the project when the resource is deleted. */
  onDelete: t.oneOf({
    delete: "Deletes the project. The default.",
    archive: "Archives the project.",
    keep: "Leaves the project as it is.",
  }),
  /** `check` always wants an active project, so that a preview shows one that was archived. */
  status: { ...t.string, isFilledIn: true },
});
export type ProjectInputs = PropertiesOf<typeof projectInputs>;
type DeclaredProject = DeclaredOf<typeof projectInputs>;

/** What the state keeps of a Project. */
export const projectState = new Properties({
  ...projectInputs.types,
  ...marks,
  createdAt: t.string,
  updatedAt: t.string,
});
export type ProjectState = PropertiesOf<typeof projectState>;

/** The status that every declared project has. */
export const declaredStatus = "active";

/** What the service says of a project. */
export function liveProperties({ name, status, createdAt, updatedAt }: Project): ProjectState {
  return { name, status, createdAt: createdAt ?? undefined, updatedAt: updatedAt ?? undefined };
}

/** What is wrong with the inputs of a Project, all at once. Unknown values pass. */
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
  // The option `ignoreChanges` gives the old one.
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
  // The service may trim it, and then it would differ from the declared one for ever.
  if (/^[\s\u0085]|[\s\u0085]$/u.test(name)) {
    return "must not start or end with whitespace";
  }
  return projectNameProblem(name);
}
