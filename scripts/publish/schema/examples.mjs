/** Examples of the schema: programs beside this file, which run in the tests. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "examples");

/** Languages of the examples by the ending of their files. */
const languages = [
  ["yaml", "yaml"],
  ["py", "python"],
];

/**
 * Examples of a resource or a function, in the form that every generator of SDKs and docs reads:
 * each generator extracts the code of one language. Empty if none. An example is a folder with a
 * program for each language. The folder name is the title, with hyphens.
 *
 * @param {string} name `Extension`, `getProject`.
 */
export function examplesOf(name) {
  const ours = join(folder, name);
  if (!existsSync(ours)) {
    return "";
  }
  const examples = readdirSync(ours)
    .sort()
    .map((example) => {
      const programs = languages.flatMap(([ending, language]) => {
        const file = join(ours, example, `program.${ending}`);
        return existsSync(file) ? [`\`\`\`${language}\n${readFileSync(file, "utf8").trimEnd()}\n\`\`\``] : [];
      });
      // A generator drops an example without a program in the generator's language, including the
      // heading.
      const heading = `## Example: ${example.replaceAll("-", " ")}`;
      return `{{% example %}}\n${heading}\n\n${programs.join("\n\n")}\n{{% /example %}}`;
    });
  return `{{% examples %}}\n${examples.join("\n\n")}\n{{% /examples %}}`;
}
