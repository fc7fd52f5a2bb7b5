import * as pulumi from "@pulumi/pulumi";
import type { extensionState } from "../../providers/browsers/extension/properties.js";
import { dynamicBridge } from "../dynamic-bridge.js";
import { type GetArguments, getResource, type LookedUp, type ResourceState } from "../lookup.js";
import { isOfKind, nullsToUndefined, type ResourceDeclaration, registration } from "../registration.js";
import { resourceType } from "../type-token.js";

/** Arguments of an {@link Extension}. */
export interface ExtensionArgs {
  /**
   * Folder of the unpacked extension, with `manifest.json` at the top level, or a ready `.zip`,
   * uploaded byte for byte, or a packed `.crx`, uploaded as the contained zip. Relative paths start
   * at the program's folder; for an inline program of the Automation API, at the working directory
   * of the process. Absolute paths are made relative to the program's folder, so that the state is
   * the same on every machine. Read at every preview. Packed size: at most 50 MiB (52 428 800
   * bytes), the limit of the service's own clients; the service publishes no limit.
   */
  readonly path: pulumi.Input<string>;
  /**
   * Name in the service, unique in the project: 1 to 255 of `A-Z a-z 0-9 . _ -`, but not 24
   * lower-case letters and digits, the form of an id. With a fixed name, a replacement deletes the
   * old extension first. Default: `<logical name>-<7 hexadecimal digits>`, new for all new content,
   * so that the new extension exists before the old extension is deleted.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /** Project id. Default: the setting `browser-infra:projectId`, else the API key's project. */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * Glob patterns of excluded files, compared with paths relative to the folder:
   * `["tests/**", "*.map"]`. Secrets, version control folders and operating system files are always
   * excluded; see docs/browsers/archive.md.
   */
  readonly exclude?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Id or name of an existing extension to manage instead of uploading the folder. Without `name`,
   * the extension keeps the existing name until the content changes. If bytes or name differ from
   * the declaration, the same deployment replaces the extension. While a browser pool loads the
   * extension, the next deployment replaces it; with `name`, the deployment fails instead. Counts
   * only when the resource is created, so `adopt` may stay in the program. A preview shows the
   * extension. Without such an extension, preview and deployment fail, unless an extension has the
   * name and the bytes of this resource: then there is only a warning.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Name and version from the manifest of the extension, with a localized name resolved. */
export interface ExtensionManifest {
  /** `name` in the default locale. */
  readonly name: string;
  /** `version`, such as `1.0.0`. */
  readonly version: string;
}

/** @internal Kind and outputs, for the classes of both bridges. */
export const extension = {
  kind: "Extension",
  outputs: {
    checksum: true,
    sizeBytes: true,
    createdAt: true,
    fileCount: true,
    manifest: true,
    files: true,
    name: true,
    projectId: true,
  },
  importAdvice: 'Give the argument "adopt" the id or the name of the extension instead.',
  find: (functions) => functions.getExtensionOutput,
  // Names are unique in a project: under a fixed name the old extension must be deleted first, also
  // in a forced replacement, which appears in no diff. Otherwise the creation would fail.
  deletesFirst: ({ name }) => name !== undefined,
} satisfies ResourceDeclaration<typeof extensionState>;

/**
 * State for {@link Extension.get}. The lookup uses only `projectId`, with the default of
 * {@link ExtensionArgs.projectId}.
 */
export type ExtensionState = ResourceState<Extension>;

/** Result of {@link Extension.get}. Extensions of others may have no name and no checksum. */
export type FoundExtension = LookedUp<
  ExtensionResource,
  "name" | "checksum" | "files" | "fileCount" | "manifest"
>;

/** Outputs and lookup of an extension, shared by both bridges. */
export abstract class ExtensionResource extends pulumi.CustomResource {
  /**
   * First 12 hexadecimal digits of each file's SHA-256, by path in the archive. If all digests exceed
   * 24 KiB as JSON, one digest of a folder, such as `icons/`, replaces the digests of the files inside,
   * from the deepest level on. Undefined for a lookup by `get`.
   */
  declare readonly files: pulumi.Output<Record<string, string>>;
  /** Name in the service. */
  declare readonly name: pulumi.Output<string>;
  /** Project id; undefined for the project of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /**
   * SHA-256 of the exact uploaded bytes, 64 lower-case hexadecimal digits. Known in previews. The
   * service has no checksum of extensions uploaded before checksums were kept.
   */
  declare readonly checksum: pulumi.Output<string>;
  /** Size of the uploaded archive in bytes. */
  declare readonly sizeBytes: pulumi.Output<number>;
  /** Time of the upload, ISO 8601; undefined if not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /** Number of files in the archive. Undefined for a lookup by `get`. */
  declare readonly fileCount: pulumi.Output<number>;
  /** Name and version from the manifest. Undefined for a lookup by `get`. */
  declare readonly manifest: pulumi.Output<ExtensionManifest>;

  /**
   * Looks up an extension that this program does not manage. `id`: id or exact name. `state`:
   * `projectId`, if the extension is not in the project of the settings.
   */
  static get(...args: GetArguments<ExtensionState>): FoundExtension {
    return getResource<FoundExtension>(this, ...args);
  }

  /** Whether `value` is an Extension, from any copy of the package. */
  static override isInstance(value: unknown): value is Extension {
    return isOfKind("Extension", value);
  }
}

/**
 * A browser extension: a folder that is packed to the same bytes on every machine and uploaded. The
 * service cannot change an extension, so new content, a new name or a new project replaces it.
 */
export class Extension extends ExtensionResource {
  /** Type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Extension");

  constructor(name: string, args: ExtensionArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(dynamicBridge, extension, name, args, opts));
    nullsToUndefined(this);
  }
}
