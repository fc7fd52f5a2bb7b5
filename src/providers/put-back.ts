import type { BrowserInfraClient, Extension } from "../client/index.js";
import { BrowserInfraError, OutcomeUnknownError } from "../errors.js";
import { placeExtension } from "./extension-upload.js";
import type { LifecycleContext } from "./lifecycle.js";
import type { RecoveryOwner } from "./recovery-folder.js";
import type { RescuedArchive } from "./rescued-archives.js";

/**
 * Puts the last working version back under its name, after its replacement could not be uploaded. `failure` is why.
 * Throws, with the place of the saved bytes and how to put them back by hand, when that fails as well.
 */
export async function putBack(
  rescued: RescuedArchive,
  owner: RecoveryOwner,
  failure: unknown,
  client: BrowserInfraClient,
  context: LifecycleContext,
): Promise<Extension> {
  try {
    context.report.progress(
      `the upload failed; putting the last working version back under "${rescued.name}"`,
    );
    const { extension } = await placeExtension({ owner, client, ...rescued, archive: rescued, context });
    return extension;
  } catch (error) {
    throw notPutBack(rescued, failure, error);
  }
}

/** A failure of which only the saved bytes are left. */
export function notPutBack(
  rescued: RescuedArchive,
  failure: unknown,
  secondFailure: unknown,
): BrowserInfraError {
  const { name, projectId } = rescued;
  const project = projectId === undefined ? "" : ` -H "X-Kernel-Project-Id: ${projectId}"`;
  return new BrowserInfraError(
    "not_put_back",
    `${messageOf(failure)} The last working version was not put back under "${name}": ${messageOf(secondFailure)} ` +
      `Its archive is saved in "${rescued.file}" in the program's folder. Run "pulumi up" again, or put it back by hand: ` +
      `curl -H "Authorization: Bearer $BROWSER_INFRA_API_KEY"${project} -F "file=@${rescued.file}" -F "name=${name}" "$BROWSER_INFRA_BASE_URL/extensions"`,
    { cause: failure },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why the last working version has to wait for the next deployment; undefined when it can go back now. */
export function whyNotPutBack(failure: unknown, { signal }: LifecycleContext): string | undefined {
  if (signal.aborted) {
    return "there was no time left for it.";
  }
  return failure instanceof OutcomeUnknownError ? "the new version may have arrived." : undefined;
}
