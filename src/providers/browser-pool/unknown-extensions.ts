import { ignoreNotFound } from "../../client/refusals.js";
import { InputError } from "../../errors.js";
import type { Call } from "../call.js";
import type { CheckFailure } from "../lifecycle.js";
import { readInPreview } from "../preview-reads.js";
import type { BrowserPoolInputs, DeclaredPool } from "./properties.js";

/** For a preview: refuses new extensions of the pool that its project does not have. */
export async function unknownExtensions(
  { extensionIds, projectId }: DeclaredPool,
  olds: BrowserPoolInputs | undefined,
  call: Call,
): Promise<CheckFailure[]> {
  const project = typeof projectId === "string" ? projectId : undefined;
  const added = Array.isArray(extensionIds)
    ? extensionIds.filter((id) => !olds?.extensionIds?.includes(id))
    : [];
  const missing = await Promise.all(
    added.map(async (id) => ((await isMissing(id, project, call)) ? [id] : [])),
  );
  const where = project === undefined ? "" : ` in project ${project}`;
  const remedy = 'Check the id, which "browser-infra extensions list" shows, and the project.';
  return missing.flat().map((id) => ({
    property: "extensionIds",
    reason: `There is no extension with the id "${id}"${where} for the pool to load. ${remedy}`,
  }));
}

/** Whether the service says that there is none. The client refuses what cannot be an id. */
async function isMissing(id: string, projectId: string | undefined, call: Call): Promise<boolean> {
  try {
    const found = await readInPreview(call, async (limited) => {
      const { extensions } = limited.clientFor(projectId);
      return { extension: await ignoreNotFound(extensions.get(id, limited.options)) };
    });
    return found !== undefined && found.extension?.id !== id;
  } catch (error) {
    if (error instanceof InputError) {
      return true;
    }
    throw error;
  }
}
