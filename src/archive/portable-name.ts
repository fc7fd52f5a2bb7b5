import { ArchiveError } from "../errors.js";
import { pathBytesMax } from "./limits.js";

/** Most names that one error lists. */
const namesListedMax = 5;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const forbiddenCharacters = /[\u0000-\u001f\u007f<>:"|?*\\]/;
const reservedOnWindows = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/** Why a path cannot stand in an archive that unpacks to the same files everywhere; undefined when it can. */
export function pathProblem(path: string): string | undefined {
  if (Buffer.byteLength(path) > pathBytesMax) {
    return `is longer than ${pathBytesMax} bytes, beyond which browsers cut it`;
  }
  if (path.normalize("NFC") !== path) {
    return "is not in Unicode's composed form (NFC), so it looks like another name and is not the same";
  }
  for (const name of path.split("/")) {
    if (name === "" || name === "." || name === "..") return "does not name a file below the folder";
    if (forbiddenCharacters.test(name))
      return 'holds one of < > : " | ? * \\ or a control character, which browsers replace';
    if (/[. ]$/.test(name)) return "ends with a dot or a space, which Windows drops";
    if (reservedOnWindows.test(name)) return "is reserved on Windows";
  }
  return undefined;
}

/** Refuses paths that would not be the same files on every system, several of them in one message. */
export function refuseUnportable(paths: readonly string[], source: string): void {
  const problems = paths.flatMap((path) => {
    const problem = pathProblem(path);
    return problem === undefined ? [] : [`${JSON.stringify(path)} ${problem}`];
  });
  const bySpelling = new Map<string, string>();
  for (const path of paths) {
    const folded = path.normalize("NFC").toLowerCase();
    const twin = bySpelling.get(folded);
    if (twin !== undefined) {
      problems.push(
        `${JSON.stringify(twin)} and ${JSON.stringify(path)} are one file where case does not count`,
      );
    }
    bySpelling.set(folded, path);
  }
  if (problems.length > 0) {
    const more = problems.length > namesListedMax ? `; and ${problems.length - namesListedMax} more` : "";
    throw new ArchiveError(
      "archive_name_not_portable",
      `${source} has names that are not the same everywhere: ${problems.slice(0, namesListedMax).join("; ")}${more}. ` +
        `Rename the files, or leave them out with "exclude".`,
    );
  }
}
