import { Option } from "commander";
import { type ExtensionArchive, type ExtensionContents, packExtension } from "../../../archive/index.js";
import { type BrowserInfraClient, type Extension, InputError } from "../../../client/index.js";
import { extensionNameProblem } from "../../../client/names.js";
import { ContractError, OutcomeUnknownError } from "../../../errors.js";
import { shellQuoted } from "../../../text/shell.js";
import { counted, listed, sizeText } from "../../../text/words.js";
import type { ServiceCommand, Session } from "../../session.js";
import { collect } from "../../terminal/option-values.js";
import type { Output } from "../../terminal/output.js";
import { withProgress } from "../../terminal/progress-line.js";
import { dim, nameCell } from "../../terminal/table.js";
import { displayText } from "../../terminal/text.js";

interface UploadFlags {
  readonly name?: string;
  readonly exclude?: readonly string[];
}

export const excludeOption = new Option(
  "--exclude <glob>",
  "files and folders to exclude, such as 'tests/**'; repeatable",
).argParser(collect);

/** `browser-infra extensions upload`: packs a folder like the resource, and uploads once. */
export const upload: ServiceCommand<[string, UploadFlags]> = {
  name: "upload",
  help: "Upload an extension: a folder, packed to the same bytes everywhere, or a ready .zip or .crx file.",
  exitCodes: ["unknown"],
  scope: "project",
  arguments: {
    "<path>": "folder with manifest.json at its top level, or .zip or .crx file of its contents",
  },
  options: [
    new Option("--name <name>", "name of the extension, unique in the project (default: no name)"),
    excludeOption,
  ],
  async work(session, path, { name, exclude = [] }) {
    const problem = name === undefined ? undefined : extensionNameProblem(name);
    if (problem !== undefined) {
      throw new InputError("name_invalid", "name", `The name ${problem}.`);
    }
    const { output, client, streams, signal } = session;
    const { apiKey } = session.settings;
    const archive = await withProgress(streams, `Packing ${displayText(path)}`, () =>
      packExtension(path, { exclude, apiKey, signal, baseFolder: process.cwd() }),
    );
    remarkContents(archive, output);
    const extension = await uploadArchive(await client(), session, archive, name);
    requireSameBytes(extension, archive);
    output.printOutcome({ ...extension, ...contentsResult(archive) }, [
      ["ID", extension.id],
      ["NAME", nameCell(extension)],
      ["CHECKSUM", extension.checksum ?? dim("unknown: the service reports no checksum")],
      ["SIZE", `${sizeText(extension.sizeBytes)}, ${counted(archive.entries.length, "file")}`],
    ]);
  },
};

/** Contents in the output of `--json`; undefined: contents that cannot be packed. */
export function contentsResult(contents: ExtensionContents | undefined) {
  return {
    fileCount: contents?.entries.length ?? null,
    leftOut: contents?.excludedPaths ?? [],
    leftOutCount: contents?.excludedCount ?? 0,
    unusedPatterns: contents?.unusedPatterns ?? [],
    warnings: contents?.warnings ?? [],
  };
}

/** Prints remarks: excluded files, patterns without effect, and warnings. */
export function remarkContents(
  { excludedPaths, excludedCount, unusedPatterns, warnings }: ExtensionContents,
  output: Output,
): void {
  if (excludedCount > 0) {
    // No further limit: `excludedPaths` is already limited.
    const names = listed(excludedPaths.map(displayText), excludedPaths.length, ", ", excludedCount);
    output.remark(`Excluded, because such files never ship (${excludedCount}): ${names}.`);
  }
  if (unusedPatterns.length > 0) {
    const patterns = unusedPatterns.map((pattern) => displayText(shellQuoted(pattern))).join(", ");
    output.remark(`These patterns of --exclude have no effect: ${patterns}.`);
  }
  for (const warning of warnings) {
    output.remark(`Warning: ${displayText(warning)}.`);
  }
}

/** Compares checksum and size with the service. Throws `ContractError` `checksum_mismatch`. */
function requireSameBytes(extension: Extension, sent: ExtensionArchive): void {
  const { id, checksum, sizeBytes } = extension;
  const differences = [
    checksum === null || checksum === sent.checksum
      ? undefined
      : `the checksum ${checksum} instead of ${sent.checksum}`,
    sizeBytes === sent.sizeBytes ? undefined : `${sizeBytes} bytes instead of ${sent.sizeBytes}`,
  ].filter((each) => each !== undefined);
  if (differences.length === 0) {
    return;
  }
  throw new ContractError(
    `The service has stored the extension ${displayText(id)} with a different archive: the service reports ${differences.join(" and ")}. Delete that extension and upload the archive again. If the values still differ, a proxy in between may change the archive.`,
    { method: "POST", path: "/extensions" },
    { code: "checksum_mismatch" },
  );
}

async function uploadArchive(
  client: BrowserInfraClient,
  { streams, signal }: Session,
  { bytes, checksum, sizeBytes }: ExtensionArchive,
  name: string | undefined,
): Promise<Extension> {
  const task = `Uploading ${sizeText(sizeBytes)}`;
  try {
    return await withProgress(streams, task, (update) =>
      client.extensions.upload(
        { archive: bytes, name },
        {
          signal,
          onProgress: ({ sentBytes, totalBytes }) =>
            update(`${task}, ${Math.floor((sentBytes / totalBytes) * 100)} %`),
        },
      ),
    );
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) {
      throw error;
    }
    throw error.withAdvice(
      `This archive has the checksum ${checksum}. "browser-infra extensions list --json" shows the checksums in the service.`,
    );
  }
}
