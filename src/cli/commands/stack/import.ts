import { Command, Option } from "commander";
import type * as kindsModule from "../../../bridges/kinds.js";
import { InputError, LookupError } from "../../../errors.js";
import type { LifecycleContext } from "../../../providers/lifecycle.js";
import type { PropertyMap } from "../../../providers/properties.js";
import { plural } from "../../../text/words.js";
import { byId, type Noun, type NounRecord } from "../../noun.js";
import { projectSettingsText, type Session, serviceCommand, settingsText } from "../../session.js";
import type { Streams } from "../../terminal/streams.js";
import { extensions } from "../browsers/extensions.js";
import { pools } from "../browsers/pools.js";
import { profiles } from "../browsers/profiles.js";
import { proxies } from "../browsers/proxies.js";
import { authConnections } from "../logins/auth-connections.js";
import { credentials } from "../logins/credentials.js";
import { apiKeys } from "../organization/api-keys.js";
import { credentialProviders } from "../organization/credential-providers.js";
import { projects } from "../organization/projects.js";
import { createImportWriter, type ImportedResource, type OutputFlags } from "./import-file.js";

/** Import of the records of a noun. */
interface Importable {
  readonly kind: kindsModule.ResourceKind;
  /** Imported part of the records, in the plural. Default: the whole records. */
  readonly what?: string;
  /** End of the sentence "Then add to your program". */
  readonly hint?: string;
  /** Arguments in a program that leave the object unchanged. */
  args(inputs: PropertyMap, id: string): object;
}

/**
 * `browser-infra import`: prepares existing resources for `pulumi import --file`, which cannot read
 * through a dynamic provider.
 */
export function importCommand(streams: Streams): Command {
  return new Command("import")
    .description("Prepare the import of existing resources into Pulumi.")
    .addCommand(
      importSubcommand(extensions, streams, {
        kind: "Extension",
        hint: ", each with the folder the extension was built from",
        args: ({ name }, id) => ({ path: "./…", ...(name === undefined ? { adopt: id } : { name }) }),
      }),
    )
    .addCommand(
      importSubcommand(apiKeys, streams, {
        kind: "ApiKeyName",
        what: "the names of existing API keys",
        args: ({ keyId, name }) => ({ keyId, name }),
      }),
    )
    .addCommand(importSubcommand(projects, streams, { kind: "Project", args: ({ name }) => ({ name }) }))
    .addCommand(
      importSubcommand(credentials, streams, {
        kind: "Credential",
        hint: ", each with its values",
        args: ({ projectId: _ofSettings, ...settings }) => ({ ...settings, values: {} }),
      }),
    )
    .addCommand(
      importSubcommand(credentialProviders, streams, {
        kind: "CredentialProvider",
        hint: ", each with its token",
        args: (settings) => ({ ...settings, tokenFromEnv: "…" }),
      }),
    )
    .addCommand(importSubcommand(profiles, streams, { kind: "Profile", args: ({ name }) => ({ name }) }))
    .addCommand(
      importSubcommand(proxies, streams, {
        kind: "Proxy",
        args: ({ projectId: _ofSettings, ...settings }) => settings,
      }),
    )
    .addCommand(
      importSubcommand(pools, streams, {
        kind: "BrowserPool",
        args: ({ projectId: _ofSettings, ...settings }) => settings,
      }),
    )
    .addCommand(
      importSubcommand(authConnections, streams, {
        kind: "AuthConnection",
        args: ({ projectId: _ofSettings, name: _ofKey, ...settings }) => settings,
      }),
    );
}

/** Command that imports the resources in the arguments, without duplicates. */
function importSubcommand<Row extends NounRecord>(
  noun: Noun<Row>,
  streams: Streams,
  importable: Importable,
): Command {
  const { scope } = noun;
  const { what = `existing ${plural(noun.noun)}`, hint = "" } = importable;
  const isInProject = scope === "project";
  const [argument, of] =
    noun.lookupArgument === byId ? ["<id...>", "the ids"] : ["<id-or-name...>", "the ids or exact names"];
  return serviceCommand(
    {
      name: noun.group,
      help: `Write a file for pulumi import that imports ${what}.`,
      scope,
      arguments: { [argument]: `${of} of the ${plural(noun.noun)}` },
      options: [
        new Option("--output <file>", "output file; - means standard output").default("import.json"),
        new Option("--force", "replace the file if it already exists"),
        new Option("--as <name>", "logical name in the program, for one resource (default: from its name)"),
      ],
      helpAfter: isInProject ? projectSettingsText : settingsText,
      async work(session: Session, ids: readonly string[], flags: OutputFlags & { readonly as?: string }) {
        if (flags.as !== undefined && ids.length > 1) {
          throw new InputError(
            "as_invalid",
            "as",
            "--as names one resource. Import further resources without --as.",
          );
        }
        const write = createImportWriter(flags, streams, session.output);
        const found = new Map<string, ImportedResource>();
        for (const id of new Set(ids)) {
          const resource = await readForImport(noun, importable, session, id, [...found.values()], flags.as);
          found.set(resource.id, resource);
        }
        const project = isInProject
          ? "If a project is set here (--project or environment), set the same for Pulumi.\n"
          : "";
        write([...found.values()], noun.noun, `${project}Then add to your program${hint}:`);
      },
    },
    streams,
  );
}

async function readForImport<Row extends NounRecord>(
  { find, scope, noun }: Noun<Row>,
  { kind, args }: Importable,
  session: Session,
  idOrName: string,
  others: readonly ImportedResource[],
  given: string | undefined,
): Promise<ImportedResource> {
  const { id, name } = await find(await session.client(), idOrName, session.signal, {});
  const context = contextOf(session, scope === "project" ? await session.projectId() : undefined);
  // Loaded here: only this command needs the life cycles.
  const { kinds } = require("../../../bridges/kinds.js") as typeof kindsModule;
  const read = await kinds[kind].lifecycle().read({ id, state: {}, isImport: true }, context);
  if (read === undefined) {
    throw new LookupError("id_not_found", `There is no ${noun} ${id} any more.`);
  }
  const logicalName = given ?? logicalNameOf(id, name ?? id, others);
  return { ...read, kind, logicalName, args: args(read.inputs, id) };
}

/** Context of a life cycle in this process, with the settings of the command. */
function contextOf({ settings, streams, output, signal }: Session, projectId?: string): LifecycleContext {
  const { apiKey, baseUrl } = settings;
  const configuration = new Map(Object.entries({ apiKey, baseUrl, projectId }));
  const ignore = () => undefined;
  const remark = (message: string) => output.remark(message);
  return {
    urn: undefined,
    programFolder: process.cwd(),
    configuration: (key) => configuration.get(key.replace("browser-infra:", "")),
    environment: streams.env,
    signal,
    report: { progress: ignore, row: ignore, debug: ignore, info: remark, warning: remark },
  };
}

/** Logical name: unique in the program, of few characters. A key's name may be anything. */
function logicalNameOf(id: string, name: string, others: readonly ImportedResource[]): string {
  const slug = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "");
  if (slug === "") {
    return id;
  }
  return others.some((other) => other.id !== id && other.logicalName === slug) ? `${slug}-${id}` : slug;
}
