import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ConfigError } from "../../errors.js";
import { readArchive as checkArchive } from "../browsers/extensions/archive-check.js";
import { archiveBytesMax } from "../browsers/extensions/routes.js";
import { readShape } from "../http/shapes.js";
import { type LoginScenario, loginScenarioFile } from "../logins/scenarios/schema.js";
import { type EmulatorSeed, seedSchema } from "./schema.js";

/** Largest seed file, in bytes (16 MiB). */
const seedBytesMax = 16_777_216;

/** Checked seed with the named files. */
export interface Seed {
  /** Name in messages, for instance `seed "seed.json"`. */
  readonly title: string;
  readonly contents: EmulatorSeed;
  /** Bytes of the extension archives, in the order of `contents.extensions`. */
  readonly archives: readonly Buffer[];
  readonly loginScenarios: Readonly<Record<string, LoginScenario>>;
}

/** Reads a seed and the named files. Throws `ConfigError` `emulator_seed_invalid`. */
export async function readSeed(source: EmulatorSeed | string): Promise<Seed> {
  const isFile = typeof source === "string";
  const title = isFile ? `seed "${source}"` : "seed";
  const json = isFile ? await readSeedJson(source, (why) => seedError(title, why)) : source;
  const contents = readShape(seedSchema, json, (problem) => seedError(title, problem)) as EmulatorSeed;
  const folder = isFile ? dirname(resolve(source)) : process.cwd();
  const archives: Buffer[] = [];
  for (const [index, { archive }] of (contents.extensions ?? []).entries()) {
    archives.push(await readArchive(resolve(folder, archive), title, `extensions[${index}].archive`));
  }
  const { loginScenarios = {} } = contents;
  return {
    title,
    contents,
    archives,
    loginScenarios:
      typeof loginScenarios === "string"
        ? await readScenarios(resolve(folder, loginScenarios), title)
        : loginScenarios,
  };
}

async function readScenarios(path: string, title: string): Promise<Readonly<Record<string, LoginScenario>>> {
  const refuse = (why: string) => seedError(title, `loginScenarios names a file that cannot be used: ${why}`);
  return readShape(loginScenarioFile, await readSeedJson(path, refuse), refuse).scenarios;
}

/** Refuses a seed. `problem`: the error with its place, without a full stop. */
export function seedError(title: string, problem: string, cause?: unknown): ConfigError {
  return new ConfigError(
    "emulator_seed_invalid",
    `The emulator's ${title} cannot be used: ${problem}. Fix it there. docs/emulator/emulator-seed.schema.json describes what a seed may contain.`,
    { cause },
  );
}

async function readSeedJson(path: string, refusal: (why: string) => ConfigError): Promise<unknown> {
  const bytes = await readWithin(path, seedBytesMax, refusal);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    // The message may quote the file, keys included. Only the place is shown.
    const place = /line \d+ column \d+/.exec((cause as Error).message)?.[0];
    throw refusal(`it is not JSON in UTF-8${place === undefined ? "" : ` (${place})`}`);
  }
}

async function readArchive(path: string, title: string, place: string): Promise<Buffer> {
  const bytes = await readWithin(path, archiveBytesMax, (why, cause) =>
    seedError(title, `${place} names a file that cannot be used: ${why}`, cause),
  );
  await checkArchive(bytes).catch((cause: Error) => {
    throw seedError(title, `${place}: ${cause.message.replace(/\.$/, "")}`, cause);
  });
  return bytes;
}

const readProblems: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "no permission to read it",
  EPERM: "no permission to read it",
};

async function readWithin(
  path: string,
  bytesMax: number,
  refusal: (why: string, cause?: unknown) => Error,
): Promise<Buffer> {
  const unreadable = (cause: NodeJS.ErrnoException): never => {
    const { code = "unknown cause" } = cause;
    throw refusal(readProblems[code] ?? `reading failed (${code})`, cause);
  };
  const { size } = await stat(path).catch(unreadable);
  if (size > bytesMax) {
    throw refusal(`it is larger than ${bytesMax} bytes`);
  }
  return readFile(path).catch(unreadable);
}
