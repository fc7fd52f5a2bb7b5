import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { filesBelow } from "../../support/files-below.js";
import { choicesOf, ours, wordsOf } from "./known-words.js";

/** Folder of the project. */
export const root = resolve(__dirname, "../../..");

/** Who can know a member of the service. */
export const sides = ["client", "resources", "emulator"] as const;
export type Side = (typeof sides)[number];

/** Where the official client and the project write about a noun. */
interface Noun {
  /** Files of the official client, below `resources`. */
  readonly official: readonly string[];
  /** Beginnings of file names in `src/client`. */
  readonly client: RegExp;
  /** Folders and files in `src/emulator`. */
  readonly emulator: RegExp;
  /** Resources and functions of schema.json. */
  readonly resources: RegExp;
}

/** All nouns. Files that are for every noun, such as the pages of a list, are in {@link shared}. */
export const nouns: Readonly<Record<string, Noun>> = {
  "API keys": {
    official: ["api-keys"],
    client: /^organization\/api-key/,
    emulator: /^organization\/api-keys/,
    resources: /ApiKey/,
  },
  "browser pools": {
    official: ["browser-pools"],
    client: /^browsers\/browser-pool/,
    emulator: /^browsers\/browser-pools/,
    resources: /BrowserPool/,
  },
  "browser sessions": {
    official: ["browsers/browsers"],
    // Only agents have sessions.
    client: /^$/,
    emulator: /^browsers\/(browser-pools|profiles|sessions)/,
    resources: /^$/,
  },
  extensions: {
    official: ["extensions"],
    client: /^browsers\/extension/,
    emulator: /^browsers\/extensions/,
    resources: /Extension$/,
  },
  profiles: {
    official: ["profiles"],
    client: /^browsers\/profile/,
    emulator: /^browsers\/profiles/,
    resources: /Profile$/,
  },
  proxies: {
    official: ["proxies"],
    client: /^browsers\/prox/,
    emulator: /^browsers\/proxies/,
    resources: /Proxy$/,
  },
  "auth connections": {
    official: ["auth/connections"],
    client: /^logins\/(auth-connection|login|following)/,
    emulator: /^logins\/(auth-connections|[\w-]+\.ts|scenarios)/,
    resources: /AuthConnection$|LoginFlow$/,
  },
  credentials: {
    official: ["credentials"],
    client: /^logins\/credential/,
    emulator: /^logins\/credentials/,
    resources: /Credential$/,
  },
  "credential providers": {
    official: ["credential-providers"],
    client: /^organization\/credential-provider/,
    emulator: /^organization\/credential-providers/,
    resources: /CredentialProvider$/,
  },
  deployments: {
    official: ["deployments", "apps"],
    client: /^apps\//,
    emulator: /^apps\//,
    resources: /App(Deployment)?$/,
  },
  "projects and limits": {
    official: ["projects/projects", "projects/limits", "organization/limits"],
    client: /^organization\/(project|organization)/,
    emulator: /^organization\/projects/,
    resources: /Projects?$|Limits$/,
  },
};

const shared = {
  client: /^operations\/|^http\/(paging|multipart)|^schema\.ts/,
  emulator: /^objects\/routes|^http\/query|^storage\/table/,
};

/** Files whose choices are no values of the service. */
const inside = /\/following\//;

/** Names that a side knows for a noun, in our spelling. */
export function namesKnown(noun: Noun, side: Side): ReadonlySet<string> {
  return side === "resources"
    ? new Set(specsOf(noun).flatMap((spec) => Object.keys(spec.properties ?? {}).map(ours)))
    : wordsOf([...filesOf(side, noun[side]), ...filesOf(side, shared[side])]);
}

/** Values that a side offers for any member of a noun. */
export function valuesKnown(noun: Noun, side: Side): ReadonlySet<string> {
  return side === "resources"
    ? new Set(specsOf(noun).flatMap((spec) => (spec.enum ?? []).map(({ value }) => value)))
    : choicesOf(filesOf(side, noun[side]).filter((file) => !inside.test(file)));
}

function filesOf(side: "client" | "emulator", names: RegExp): readonly string[] {
  const folder = join(root, "src", side);
  return filesBelow(folder).filter((file) => file.endsWith(".ts") && names.test(relative(folder, file)));
}

interface Spec {
  readonly $ref?: string;
  readonly items?: Spec;
  readonly additionalProperties?: Spec;
  readonly enum?: readonly { readonly value: string }[];
  readonly properties?: Readonly<Record<string, Spec>>;
  readonly inputProperties?: Readonly<Record<string, Spec>>;
  readonly inputs?: Spec;
  readonly outputs?: Spec;
}

const schema: Readonly<Record<"resources" | "functions" | "types", Readonly<Record<string, Spec>>>> =
  JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));

/** Everything that schema.json says about a noun, at any depth. */
function specsOf(noun: Noun): readonly Spec[] {
  const all = Object.entries({ ...schema.resources, ...schema.functions });
  const named = all.filter(([token]) => noun.resources.test(token.replace(/^.*:/, "")));
  return named.flatMap(([, spec]) => [...parts(spec), ...parts({ properties: spec.inputProperties ?? {} })]);
}

function parts(spec: Spec): readonly Spec[] {
  const ofType = spec.$ref && schema.types[spec.$ref.replace("#/types/", "")];
  const inner = [spec.inputs, spec.outputs, spec.items, spec.additionalProperties, ofType];
  const all = [...inner, ...Object.values(spec.properties ?? {})].filter((each) => typeof each === "object");
  return [spec, ...all.flatMap(parts)];
}
