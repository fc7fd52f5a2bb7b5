import * as pulumi from "@pulumi/pulumi";
import { resourceType } from "../bridges/dynamic/contract.js";
import { declare } from "../bridges/dynamic/declare.js";
import { getExtensionOutput } from "../functions/functions.js";
import type { extensionState } from "../providers/extension/properties.js";
import { type Find, getResource, idOf, type LookedUp, type ResourceState } from "./lookup.js";
import { giveUndefined, isOfKind, type Noun, registration } from "./registration.js";

/** Arguments of an {@link Extension}. */
export interface ExtensionArgs {
  /**
   * Folder of the unpacked extension, with `manifest.json` at its top level, or a ready `.zip` that
   * is uploaded byte for byte, or a packed `.crx`, whose zip is. A relative path starts at the
   * program's folder; for an inline program of the Automation API, at the working directory of the
   * process. An absolute one is made relative to it, so that the state is the same on every machine.
   * Read at every preview. Packed size: at most 50 MiB (52 428 800 bytes), the limit of the
   * service's own clients; the service publishes none.
   */
  readonly path: pulumi.Input<string>;
  /**
   * Name in the service, unique in its project: 1 to 255 of `A-Z a-z 0-9 . _ -`, and not 24
   * lower-case letters and digits, which is what an id looks like. With a fixed name, a replacement
   * deletes the old extension first. Default: `<logical name>-<7 hexadecimal digits>`, new for all
   * new content, so that the new extension exists before the old one is deleted.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /** Its project. Default: the setting `browser-infra:projectId`, else that of the API key. */
  readonly projectId?: pulumi.Input<string | undefined>;
  /**
   * Glob patterns of files to leave out, compared with paths relative to the folder:
   * `["tests/**", "*.map"]`. Secrets, version control folders and operating system leftovers are
   * always left out; see docs/archive.md.
   */
  readonly exclude?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /**
   * Id or name of an existing extension that is managed from now on, instead of uploading the
   * folder. Its name stays as long as its content does, unless `name` is given. If its bytes or its
   * name differ from what is declared, the deployment that adopts it replaces it. A preview shows
   * which extension it is, and refuses one that does not exist. May stay in the program: it only
   * counts when the resource is created. If there is no such extension any more, an update uploads
   * the folder, with a warning.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Name and version as the extension's own manifest gives them, with a localized name resolved. */
export interface ExtensionManifest {
  /** Its `name`, in the default locale. */
  readonly name: string;
  /** Its `version`, such as `1.0.0`. */
  readonly version: string;
}

/** @internal What its classes know of it. */
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
  insteadOfImport: 'Give the argument "adopt" the id or the name of the extension instead.',
  // Names are unique in a project: under a fixed name the old extension must be deleted first,
  // also when a replacement is forced, which no diff announces. Any other choice could only fail.
  deletesFirst: ({ name }) => name !== undefined,
} satisfies Noun<typeof extensionState>;

/**
 * What is known of an extension that {@link Extension.get} looks up. Only `projectId` matters for
 * finding it; its default is that of {@link ExtensionArgs.projectId}.
 */
export type ExtensionState = ResourceState<Extension>;

/** What {@link Extension.get} finds. An extension of others may have no name and no checksum. */
export type FoundExtension = LookedUp<
  ExtensionResource,
  "name" | "checksum" | "files" | "fileCount" | "manifest"
>;

/** The outputs and the lookup of an extension, which are the same for both bridges. */
export abstract class ExtensionResource extends pulumi.CustomResource {
  /**
   * The archive's files by path, each with the first 12 hexadecimal digits of its SHA-256; folders
   * where there are too many files. Undefined for a lookup by `get`.
   */
  declare readonly files: pulumi.Output<Record<string, string>>;
  /** Name in the service. */
  declare readonly name: pulumi.Output<string>;
  /** Project that the extension belongs to; undefined for the project of the API key. */
  declare readonly projectId: pulumi.Output<string | undefined>;
  /**
   * SHA-256 of the exact bytes that were uploaded, 64 lower-case hexadecimal digits. Known in
   * previews. The service has none for extensions uploaded before it kept checksums.
   */
  declare readonly checksum: pulumi.Output<string>;
  /** Size of the uploaded archive. Bytes. */
  declare readonly sizeBytes: pulumi.Output<number>;
  /** When the service stored it, ISO 8601; undefined if the service's value is not readable. */
  declare readonly createdAt: pulumi.Output<string | undefined>;
  /** Number of files in the archive. Undefined for a lookup by `get`. */
  declare readonly fileCount: pulumi.Output<number>;
  /** What the manifest says. Undefined for a lookup by `get`. */
  declare readonly manifest: pulumi.Output<ExtensionManifest>;

  /** @internal How one is found by its name. */
  declare protected static readonly find: Find;

  /**
   * Looks up an extension that this program does not manage. `id`: its id or its exact name.
   * `state`: its `projectId`, if it is not in the project of the settings.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: ExtensionState,
    opts?: pulumi.CustomResourceOptions,
  ): FoundExtension {
    const found = idOf(this.find, id, state, opts);
    return getResource<ExtensionArgs, FoundExtension>(this, name, found, state, opts);
  }

  /** Whether `value` is an Extension, from this copy of the package or from another. */
  static override isInstance(value: unknown): value is Extension {
    return isOfKind("Extension", value);
  }
}

/**
 * A browser extension: a folder that is packed to the same bytes on every machine and uploaded. The
 * service cannot change an extension, so new content, another name or another project replaces it.
 */
export class Extension extends ExtensionResource {
  /** The type token, for policies and aliases. */
  static readonly __pulumiType = resourceType("Extension");
  /** @internal */
  protected static override readonly find = getExtensionOutput;

  constructor(name: string, args: ExtensionArgs, opts?: pulumi.CustomResourceOptions) {
    super(...registration(declare, extension, name, args, opts));
    giveUndefined(this);
  }
}
