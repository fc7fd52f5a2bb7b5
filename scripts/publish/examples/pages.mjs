import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../../setup/project.mjs";
import { examplesIn, examplesOf } from "../schema/examples.mjs";
import { manifest, packageFacts } from "../schema/facts.mjs";

/** Import of the programs in schema.json, which use the plugin. */
const ofSchema = `from "${packageFacts().language.nodejs.packageName}"`;
const plugin = `<a href="../programs/plugin.md">the plugin</a>: import from <code>${manifest.name}/plugin</code>`;

/** Languages of the pages in docs: the word after the fence, and the title. */
const shown = /** @type {const} */ ([
  ["typescript", "ts", `TypeScript with dynamic resources (${plugin})`],
  ["python", "python", "Python"],
  ["yaml", "yaml", "YAML"],
]);

/**
 * Pages of the resources in docs whose examples are not the generated examples, with the new text.
 * A page contains the first example of a resource between `<!-- example: Extension -->` and
 * `<!-- /example -->`.
 *
 * @returns {{ file: string, text: string }[]}
 */
export function outdatedPages() {
  const files = ["organization", "browsers", "logins", "apps"].flatMap((room) =>
    readdirSync(join(projectFolder, "docs", room))
      .filter((file) => file.endsWith(".md"))
      .map((file) => join(projectFolder, "docs", room, file)),
  );
  return files.flatMap((file) => {
    const before = readFileSync(file, "utf8");
    const text = before.replace(
      /(<!-- example: (\w+) -->\n)[\s\S]*?(<!-- \/example -->)/g,
      (_all, start, name, end) => `${start}${detailsOf(name)}\n${end}`,
    );
    return text === before ? [] : [{ file, text }];
  });
}

/**
 * The first example of a resource, in a block to open for each language. The pages are in the npm
 * package, so the program in TypeScript imports the package, with dynamic resources.
 *
 * @param {string} name
 */
function detailsOf(name) {
  const [example] = examplesIn(examplesOf(name));
  return shown
    .map(([language, fence, title], index) => {
      const open = index === 0 ? " open" : "";
      const isTypescript = language === "typescript";
      const program = example?.programs[language] ?? "";
      const code = isTypescript ? program.replace(ofSchema, `from "${manifest.name}"`) : program;
      return `<details${open}><summary>${title}</summary>\n\n\`\`\`${fence}\n${code}\`\`\`\n</details>`;
    })
    .join("");
}
