import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Folder of the examples: a folder for each room, and the generated sections. */
const examplesFolder = join(import.meta.dirname, "../examples");
const rooms = ["organization", "browsers", "logins", "apps"];

/** Languages of an example, in the order of the registry's pages. */
const languages = ["typescript", "python", "go", "csharp", "java", "yaml"];

/**
 * Example of a resource or a function: title, and programs by language.
 *
 * @typedef {{ readonly title: string, readonly programs: Readonly<Record<string, string>> }} Example
 */

/**
 * Resources and functions with examples. `examples`: programs in YAML, separated by `---`, each
 * with the title as a comment in the first line. `section`: file with the generated section.
 *
 * @returns {{ name: string, section: string, examples: Example[] }[]}
 */
export function readSources() {
  return rooms.flatMap((room) =>
    readdirSync(join(examplesFolder, room)).map((file) => ({
      name: basename(file, ".yaml"),
      section: join(examplesFolder, "generated", room, file.replace(/yaml$/, "md")),
      examples: readFileSync(join(examplesFolder, room, file), "utf8")
        .split(/^---\n/m)
        .map((text) => {
          const [first = "", ...lines] = text.split("\n");
          return { title: first.replace("# ", ""), programs: { yaml: lines.join("\n") } };
        }),
    })),
  );
}

/**
 * Section of a page of the registry. Each generator of SDKs keeps the code of its language.
 *
 * @param {readonly Example[]} examples
 */
export function sectionOf(examples) {
  const parts = examples.map(({ title, programs }) => {
    const blocks = languages.map((language) => `\`\`\`${language}\n${programs[language] ?? ""}\`\`\`\n`);
    return `{{% example %}}\n### ${title}\n\n${blocks.join("")}{{% /example %}}\n`;
  });
  return `{{% examples %}}\n## Example Usage\n${parts.join("")}{{% /examples %}}\n`;
}

/**
 * Examples of a generated section.
 *
 * @param {string} section
 * @returns {Example[]}
 */
export function examplesIn(section) {
  return section
    .split("{{% example %}}\n")
    .slice(1)
    .map((text) => ({
      title: /^### (.*)$/m.exec(text)?.[1] ?? "",
      programs: Object.fromEntries(
        Array.from(text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm), ([, language = "", code = ""]) => [
          language,
          code,
        ]),
      ),
    }));
}

/**
 * Generated section of a resource or a function, such as `Extension` or `getProject`. Empty if the
 * examples are still to be generated.
 *
 * @param {string} name
 */
export function examplesOf(name) {
  const file = readSources().find((source) => source.name === name)?.section ?? "";
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd() : "";
}
