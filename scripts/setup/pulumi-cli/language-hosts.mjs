import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { digestOfFiles } from "../digest.mjs";
import { withPartialFolder } from "../process/partial-folder.mjs";
import { showProgress } from "../process/progress.mjs";
import { isExecutable } from "../process/search-path.mjs";
import { projectFolder } from "../project.mjs";
import { buildGoProgram, folderOfGoModule, requireGo } from "./go-build.mjs";
import { goModules } from "./go-modules.mjs";

/**
 * A program that runs the Pulumi programs of a language. The vendor's release archive contains it;
 * beside a CLI that was built from source, it must be built as well.
 *
 * @typedef {object} LanguageHost
 * @property {string} language as people write it.
 * @property {string} program name of the file.
 * @property {string} module folder of the go.mod that pins it, relative to the project.
 * @property {string} package
 * @property {string[]} args of `go build`.
 * @property {{ file: string, module: string, path: string }} [companion] a file that must be beside
 *   it, with the module it comes from and its path in there.
 * @property {string} usually how long a build takes.
 */

const sdk = "github.com/pulumi/pulumi/sdk/v3";

/** @type {LanguageHost} */
const yaml = {
  language: "YAML",
  program: "pulumi-language-yaml",
  module: goModules.yaml,
  package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  // Without -trimpath, its error messages in the state name folders of the machine that built it.
  args: ["-trimpath", "-tags", "osusergo,grpcnotrace", "-ldflags", "-s -w"],
  usually: "2 minutes the first time on two cores, seconds from Go's build cache",
};

/** @type {LanguageHost} */
const python = {
  language: "Python",
  program: "pulumi-language-python",
  module: goModules.nodejsPythonGo,
  package: `${sdk}/python/cmd/pulumi-language-python`,
  args: ["-trimpath", "-ldflags", "-s -w"],
  companion: {
    file: "pulumi-language-python-exec",
    module: sdk,
    path: "python/cmd/pulumi-language-python-exec",
  },
  usually: "1 minute the first time, seconds from Go's build cache",
};

/** @type {LanguageHost} */
const go = {
  language: "Go",
  program: "pulumi-language-go",
  module: goModules.nodejsPythonGo,
  package: `${sdk}/go/pulumi-language-go`,
  args: ["-trimpath", "-ldflags", "-s -w"],
  usually: "10 s after the one for Python",
};

/** The hosts that the set-up provides on demand. The one for Node.js comes with the CLI. */
export const languageHosts = { yaml, python, go };

/**
 * Whether a folder has a host, and the one that this repository pins. One that came with the
 * vendor's archive has no record beside it: the archive itself is pinned.
 *
 * @param {string} folder
 * @param {LanguageHost} host
 */
export function hasHost(folder, host) {
  const files = host.companion ? [host.program, host.companion.file] : [host.program];
  const record = recordOf(folder, host);
  return (
    files.every((name) => isExecutable(join(folder, name))) &&
    (!existsSync(record) || readFileSync(record, "utf8") === digestOf(host))
  );
}

/**
 * Builds a host from its published Go module and puts it into the folder of a CLI, where the CLI
 * finds it before any other. Nothing else in that folder changes. Rejects with `CommandFailed`.
 *
 * @param {string} folder
 * @param {LanguageHost} host
 * @param {NodeJS.ProcessEnv} env
 */
export async function addHost(folder, host, env) {
  const goProgram = await requireGo(env);
  const { program, module, package: path, args, companion } = host;
  await withPartialFolder(dirname(folder), async (partial) => {
    await showProgress(
      {
        what: `Building Pulumi's language host for ${host.language} from its published Go module`,
        why: "the Pulumi CLI was built from source and has none of this version",
        usually: host.usually,
      },
      (onLine) =>
        buildGoProgram(goProgram, {
          module,
          package: path,
          args,
          output: join(partial, program),
          env,
          onLine,
        }),
    );
    // Without its program the host is incomplete, so an interrupt from here on repeats the build.
    rmSync(join(folder, program), { force: true });
    if (companion) {
      const sources = await folderOfGoModule(goProgram, { module, path: companion.module, env });
      const made = join(partial, companion.file);
      copyFileSync(join(sources, companion.path), made);
      chmodSync(made, 0o755);
      renameSync(made, join(folder, companion.file));
    }
    writeFileSync(recordOf(folder, host), digestOf(host));
    renameSync(join(partial, program), join(folder, program));
  });
}

/**
 * The file that says from which go.mod and go.sum a host was built.
 *
 * @param {string} folder
 * @param {LanguageHost} host
 */
function recordOf(folder, { program }) {
  return join(folder, `${program}.built-from`);
}

/** @param {LanguageHost} host */
function digestOf({ module }) {
  return `${digestOfFiles(projectFolder, [module])}\n`;
}
