import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ConfigError } from "../errors.js";
import { checkArchive } from "./archive-check.js";
import { archiveBytesMax } from "./extension-routes.js";
import { issueText } from "./issue-text.js";
import { type EmulatorSeed, seedSchema } from "./seed-schema.js";

/** Largest seed file, in bytes (16 MiB). */
const seedBytesMax = 16_777_216;

/** A seed whose shape is checked, with the archives it names. */
export interface Seed {
  /** What messages call it, for instance `seed "seed.json"`. */
  readonly title: string;
  readonly contents: EmulatorSeed;
  /** The bytes of each extension's archive, in the order of `contents.extensions`. */
  readonly archives: readonly Buffer[];
}

/** Reads a seed and the archives it names: an object, or the path of a JSON file. Throws `ConfigError` `emulator_seed_invalid`. */
export async function readSeed(source: EmulatorSeed | string): Promise<Seed> {
  const isFile = typeof source === "string";
  const title = isFile ? `seed "${source}"` : "seed";
  const { data, error } = seedSchema.safeParse(isFile ? await readSeedJson(source, title) : source);
  const [issue] = error?.issues ?? [];
  if (issue) throw seedError(title, issueText(issue));
  const contents = data as EmulatorSeed;
  const folder = isFile ? dirname(resolve(source)) : process.cwd();
  const archives: Buffer[] = [];
  for (const [index, { archive }] of (contents.extensions ?? []).entries())
    archives.push(await readArchive(resolve(folder, archive), title, `extensions[${index}].archive`));
  return { title, contents, archives };
}

/** Refuses a seed. `problem` names the place in it and says what is wrong there, without a full stop. */
export function seedError(title: string, problem: string, cause?: unknown): ConfigError {
  return new ConfigError(
    "emulator_seed_invalid",
    `The emulator's ${title} cannot be used: ${problem}. Correct it there; docs/emulator-seed.schema.json says what a seed may hold.`,
    { cause },
  );
}

async function readSeedJson(path: string, title: string): Promise<unknown> {
  const bytes = await readWithin(path, seedBytesMax, (why) => seedError(title, why));
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    // The message may quote the file, keys included; so of it only the place is told.
    const place = /line \d+ column \d+/.exec((cause as Error).message)?.[0];
    throw seedError(title, `it is not JSON in UTF-8${place === undefined ? "" : ` (${place})`}`);
  }
}

async function readArchive(path: string, title: string, place: string): Promise<Buffer> {
  const bytes = await readWithin(path, archiveBytesMax, (why, cause) =>
    seedError(title, `${place} names a file that cannot be taken: ${why}`, cause),
  );
  await checkArchive(bytes).catch((cause: Error) => {
    throw seedError(title, `${place}: ${cause.message.replace(/\.$/, "")}`, cause);
  });
  return bytes;
}

async function readWithin(
  path: string,
  bytesMax: number,
  refusal: (why: string, cause?: unknown) => Error,
): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > bytesMax) throw refusal(`it is larger than ${bytesMax} bytes`);
    return await readFile(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof ConfigError) throw cause;
    const why =
      code === "ENOENT"
        ? "there is no such file"
        : code === "EISDIR"
          ? "it is a folder"
          : code === "EACCES" || code === "EPERM"
            ? "no permission to read it"
            : `reading failed (${code ?? "unknown cause"})`;
    throw refusal(why, cause);
  }
}
