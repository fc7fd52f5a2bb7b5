import type { Project } from "../../../client/index.js";
import { ignoreFailure } from "../../../client/not-found.js";
import { type ApiError, ConflictError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { counted, listed } from "../../../text/words.js";
import type { Call } from "../../call.js";

type KeptProject = Pick<Project, "id" | "name">;

/** `project "web" (proj_1)`, for messages. */
function textOf({ id, name }: KeptProject): string {
  return `project ${quote(name)} (${id})`;
}

/** Error for the last active project, which can neither be deleted nor archived. */
function lastActiveError(project: KeptProject, cause: ApiError): ConflictError {
  return new ConflictError(
    "project_last_active",
    `The ${textOf(project)} was not changed, because it is the organization's last active project. ` +
      'Create another project first, or set "onDelete" to "keep", deploy, and delete the resource then.',
    { cause },
  );
}

/** Explains a refusal to delete or archive a project, with its contents. Returns all other errors. */
export async function explainProjectRefusal(
  project: KeptProject,
  error: ApiError,
  call: Call,
): Promise<Error> {
  if (error.code === "last_active_project") {
    return lastActiveError(project, error);
  }
  if (error.code !== "project_not_empty") {
    return error;
  }
  const { contents, origin } = await contentsText(project.id, call);
  return new ConflictError(
    "project_not_empty",
    `The ${textOf(project)} was not deleted, because it is not empty${contents}.${origin} ` +
      'Delete the contents, or set "onDelete" to "archive" or "keep", deploy, and delete the resource then.',
    { cause: error },
  );
}

/** Contents of a project, as the end of a sentence, and their possible origin; empty if unknown. */
async function contentsText(id: string, call: Call) {
  const { extensions, profiles, proxies, credentials, browserPools, authConnections } = call.clientFor(id);
  const ofProfiles = await contentsOfKindText("profile", profiles.list(call.options));
  const found = [
    await contentsOfKindText("extension", extensions.list(call.options)),
    ofProfiles,
    await contentsOfKindText("proxy", proxies.list(call.options)),
    await contentsOfKindText("credential", credentials.list(call.options)),
    await contentsOfKindText("browser pool", browserPools.list(call.options)),
    await contentsOfKindText("auth connection", authConnections.list(call.options)),
  ].filter((text) => text !== "");
  return {
    contents: found.length === 0 ? "" : `: it has ${found.join(" and ")}`,
    origin:
      ofProfiles === ""
        ? ""
        : " An auth connection makes a profile that does not exist, and leaves the profile behind.",
  };
}

/** `2 extensions ("one", "two")`; empty if there are none, or the number is unknown. */
async function contentsOfKindText(
  noun: string,
  list: Promise<readonly { readonly id: string; readonly name?: string | null; readonly domain?: string }[]>,
): Promise<string> {
  // An archived project shows nothing, and a service may lack a list.
  const rows = (await ignoreFailure(list)) ?? [];
  const names = rows.map(({ id, name, domain }) => {
    const text = name ?? domain;
    return text === undefined ? id : quote(text);
  });
  return rows.length === 0 ? "" : `${counted(rows.length, noun)} (${listed(names)})`;
}
