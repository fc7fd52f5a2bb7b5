import { type AppArchive, contentsSummary, packApp } from "../../../archive/index.js";
import { ArchiveError } from "../../../errors.js";
import { listed } from "../../../text/words.js";
import type { Call } from "../../call.js";
import { folderOptions } from "../../inputs/folder-options.js";
import { type CheckFailure, failureOf } from "../../lifecycle.js";
import { reportExcluded } from "../../messages/shipping.js";
import { type PropertyMap, requireKnown, unknownValue } from "../../properties.js";
import { type DeploymentInputs, deploymentInputs } from "./properties.js";

/** Inputs that `check` fills in from the archive. */
const filledIn = ["checksum", "sizeBytes", "fileCount", "files"] as const;

/** Archives of new code, from `check` to the creation, by URN. */
export class Archives {
  readonly #byUrn = new Map<string | undefined, AppArchive>();

  /**
   * Packs the declared code. Returns the filled-in inputs, unknown in a preview as long as the path is, and the
   * failures. A given checksum (`ignoreChanges`) keeps the old code.
   */
  async fill(
    news: PropertyMap,
    olds: PropertyMap | undefined,
    call: Call,
  ): Promise<{ readonly inputs: PropertyMap; readonly failures: CheckFailure[] }> {
    const { path, entrypoint, exclude, gitignore } = deploymentInputs.readDeclared(news);
    const given = [path, entrypoint, exclude, gitignore];
    if (news.checksum !== undefined) {
      const kept = { ...olds, ...news };
      return { inputs: pick((name) => kept[name]), failures: [] };
    }
    if (given.includes(unknownValue)) {
      return { inputs: pick(() => unknownValue), failures: [] };
    }
    if (typeof path !== "string" || typeof entrypoint !== "string") {
      return { inputs: {}, failures: [] };
    }
    try {
      const archive = await pack(deploymentInputs.read(news), call);
      if (archive.checksum !== olds?.checksum) {
        this.#byUrn.set(call.context.urn, archive);
      }
      report(archive, call);
      const { checksum, sizeBytes } = archive;
      const { fileCount, files } = contentsSummary({ entries: archive.entries, manifest: undefined });
      const inputs: PropertyMap = { checksum, sizeBytes, fileCount, files };
      return { inputs, failures: [] };
    } catch (error) {
      const isEntrypoint = error instanceof ArchiveError && error.code === "app_entrypoint_missing";
      const property = isEntrypoint ? "entrypoint" : "path";
      const failure = error instanceof ArchiveError ? { property, reason: error.message } : failureOf(error);
      return { inputs: {}, failures: [failure] };
    }
  }

  /** Archive with the checksum of the preview. Throws `ArchiveError` `archive_changed_since_check`. */
  async take(inputs: DeploymentInputs, call: Call): Promise<Uint8Array> {
    const { urn } = call.context;
    const known = this.#byUrn.get(urn);
    this.#byUrn.delete(urn);
    const archive = known?.checksum === inputs.checksum ? known : await pack(inputs, call);
    if (archive?.checksum !== inputs.checksum) {
      throw new ArchiveError(
        "archive_changed_since_check",
        `"${inputs.path}" changed during the deployment. Nothing was uploaded. Run "pulumi up" again when nothing writes to it.`,
      );
    }
    return (archive as AppArchive).bytes;
  }
}

function pick(valueOf: (name: string) => PropertyMap[string] | undefined): PropertyMap {
  const values = filledIn.map((name) => [name, valueOf(name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as PropertyMap;
}

function pack(inputs: DeploymentInputs, call: Call): Promise<AppArchive> {
  const path = requireKnown(inputs.path, "path", "AppDeployment");
  const { entrypoint = "", gitignore = true } = inputs;
  return packApp(path, { ...folderOptions(path, inputs.exclude, call), app: { entrypoint, gitignore } });
}

/** Reports what never ships, and defects of the code. */
function report(archive: AppArchive, { context }: Call): void {
  reportExcluded(archive, context);
  if (archive.warnings.length > 0) {
    context.report.warning(`The code ships, but ${listed(archive.warnings, 5, "; ")}.`);
  }
}
