import type { Project } from "../../../client/index.js";
import { projectNameProblem } from "../../../client/names.js";
import { settingProblems } from "../../../client/options.js";
import { adoptInput, marks } from "../../core/marks.js";
import type { CheckFailure } from "../../lifecycle.js";
import { formFailures, outerWhitespaceProblem } from "../../messages/input-failures.js";
import { Properties, type PropertiesOf, type PropertyMap, t, unknownValue } from "../../properties.js";

/** Inputs of a Project as returned by `check`. */
export const projectInputs = new Properties({
  name: t.string,
  ...adoptInput,
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
  const forms = { name: "must be a non-empty string; leave it out to get a unique one" };
  const failures = formFailures(news, projectInputs, "A Project", forms, ({ name }) =>
    settingProblems([["name", name && (outerWhitespaceProblem(name) ?? projectNameProblem(name))]]),
  );
  // The option `ignoreChanges` gives the old status.
  const { status } = news;
  if (status !== undefined && status !== unknownValue && status !== olds?.status) {
    failures.push({
      property: "status",
      reason:
        '"status" cannot be set: a declared project is active. To archive it, delete the resource with onDelete: "archive".',
    });
  }
  return failures;
}
