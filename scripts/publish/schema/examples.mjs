/** The examples of the schema: programs beside this file, which the tests run. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "examples");

/** Languages of the examples by the ending of their files. */
const languages = [
  ["yaml", "yaml"],
  ["py", "python"],
];

/**
 * The examples of a resource or a function, in the form that every generator of SDKs and docs
 * reads: each takes out the code of its own language. Empty when there are none. An example is a
 * folder with a program for each language. Its name is the title, with hyphens.
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
      // A generator takes out an example without a program in its language, with its heading.
      const heading = `## Example: ${example.replaceAll("-", " ")}`;
      return `{{% example %}}\n${heading}\n\n${programs.join("\n\n")}\n{{% /example %}}`;
    });
  return `{{% examples %}}\n${examples.join("\n\n")}\n{{% /examples %}}`;
}
