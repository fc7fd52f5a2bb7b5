/** Kinds of objects that can be imported, and the read of one object. */
import type * as kindsModule from "../../../bridges/kinds.js";
import { LookupError } from "../../../errors.js";
import type { ResourceKind } from "../../../providers/kinds.js";
import type { LifecycleContext } from "../../../providers/lifecycle.js";
import type { PropertyMap } from "../../../providers/properties.js";
import type { NounRecord } from "../../noun.js";
import type { Session } from "../../session.js";
import { type Records, recordsOf } from "../nouns.js";
import type { ImportedResource } from "./import-program.js";

export interface Importable {
  readonly kind: ResourceKind;
  readonly records: Records;
  /** Imported part of the records, in the plural. Default: the whole records. */
  readonly what?: string;
  /** End of the sentence "Then add to your program". */
  readonly hint?: string;
  /** Arguments in a program that leave the object unchanged. */
  args(inputs: PropertyMap, id: string): object;
}

function importable(kind: ResourceKind, others: Omit<Importable, "kind" | "records">, of = kind): Importable {
  return { kind, records: recordsOf.get(of) as Records, ...others };
}

const settingsOf = ({ projectId: _ofSettings, ...settings }: PropertyMap) => settings;
const nameOf = ({ name }: PropertyMap) => ({ name });

/** Importable kinds in the order of a program: what others refer to comes first. */
export const importables: readonly Importable[] = [
  importable("Project", { args: nameOf }),
  importable(
    "ApiKeyName",
    { what: "the names of existing API keys", args: ({ keyId, name }) => ({ keyId, name }) },
    "ApiKey",
  ),
  importable("CredentialProvider", {
    hint: ", each with its token",
    args: (inputs) => ({ ...settingsOf(inputs), tokenFromEnv: "…" }),
  }),
  importable("TelemetryDestination", { hint: ", each with the values of its headers", args: settingsOf }),
  importable("Extension", {
    hint: ", each with the folder the extension was built from",
    args: ({ name }, id) => ({ path: "./…", ...(name === undefined ? { adopt: id } : { name }) }),
  }),
  importable("Profile", { args: nameOf }),
  importable("Proxy", { args: settingsOf }),
  importable("Credential", {
    hint: ", each with its values",
    args: (inputs) => ({ ...settingsOf(inputs), values: {} }),
  }),
  importable("BrowserPool", { args: settingsOf }),
  importable("AuthConnection", {
    args: (inputs) => {
      const { name: _ofKey, ...settings } = settingsOf(inputs);
      return settings;
    },
  }),
  importable("AppDeployment", {
    hint: ", each with the folder of its code",
    args: ({ entrypoint, version, appName }) => ({ path: "./…", entrypoint, version, appName }),
  }),
];

/** Facts about the kinds, loaded when needed: only an import needs the life cycles. */
export function loadKinds() {
  return (require("../../../bridges/kinds.js") as typeof kindsModule).kinds;
}

/**
 * Reads an object to import. `others`: resources read so far, whose logical names are taken. `given`:
 * logical name. Throws `LookupError` `id_not_found`.
 */
export async function readForImport(
  { kind, records, args }: Importable,
  { id, name }: NounRecord,
  session: Session,
  others: readonly ImportedResource[],
  given?: string,
): Promise<ImportedResource> {
  const notes: string[] = [];
  const projectId = records.scope === "project" ? await session.projectId() : undefined;
  const context = contextOf(session, notes, projectId);
  const read = await loadKinds()[kind].lifecycle().read({ id, state: {}, isImport: true }, context);
  if (read === undefined) {
    throw new LookupError("id_not_found", `There is no ${records.noun} ${id} any more.`);
  }
  const logicalName =
    given ?? logicalNameOf({ id, name: String(read.inputs.name ?? name ?? id) }, kind, others);
  return { ...read, kind, projectId, logicalName, args: args(read.inputs, id), notes };
}

/** Context of a life cycle in this process, with the settings of the command. */
function contextOf(
  { settings, streams, output, signal }: Session,
  notes: string[],
  projectId?: string,
): LifecycleContext {
  const { apiKey, baseUrl } = settings;
  const configuration = new Map(Object.entries({ apiKey, baseUrl, projectId }));
  const ignore = () => undefined;
  const remark = (message: string) => {
    notes.push(message);
    output.remark(message);
  };
  return {
    urn: undefined,
    programFolder: process.cwd(),
    configuration: (key) => configuration.get(key.replace("browser-infra:", "")),
    environment: streams.env,
    signal,
    report: { progress: ignore, row: ignore, debug: ignore, info: remark, warning: remark },
  };
}

/** Logical name, unique, of the characters A-Z a-z 0-9 . _ -. A namesake gets the kind or the id. */
function logicalNameOf(
  { id, name }: { readonly id: string; readonly name: string },
  kind: ResourceKind,
  taken: readonly ImportedResource[],
): string {
  const slug = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "");
  if (slug === "") {
    return id;
  }
  const others = taken.filter((each) => each.id !== id || each.kind !== kind);
  const [namesake] = others.filter(({ logicalName }) => logicalName === slug);
  if (namesake === undefined) {
    return slug;
  }
  const wanted = `${slug}-${kind.replace(/\B[A-Z]/g, "-$&").toLowerCase()}`;
  const isFree = others.every(({ logicalName }) => logicalName !== wanted);
  return namesake.kind !== kind && isFree ? wanted : `${slug}-${id}`;
}
