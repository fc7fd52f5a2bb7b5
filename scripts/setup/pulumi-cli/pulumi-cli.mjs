import { dirname, join } from "node:path";
import { digestOfFiles } from "../digest.mjs";
import { withLock } from "../process/lock.mjs";
import { CommandFailed, runCommand } from "../process/run-command.mjs";
import { findOnPath, isExecutable } from "../process/search-path.mjs";
import { cloneStateFolder, projectFolder, toolsFolder } from "../project.mjs";
import { SetUpError } from "../set-up-error.mjs";
import { isAtLeast } from "../version.mjs";
import { downloadPulumi } from "./download.mjs";
import { buildPulumi } from "./from-source.mjs";
import { goMinimum, goModules, pinnedPulumi } from "./go-modules.mjs";
import { addHost, hasHost, languageHosts } from "./language-hosts.mjs";

/**
 * One way to get the CLI: puts `pulumi` and its companions into `folder`.
 *
 * @typedef {object} Order
 * @property {string} version without a `v`.
 * @property {string} folder
 * @property {string} node path of the Node that downloads.
 * @property {NodeJS.ProcessEnv} env
 * @property {typeof verify} verify
 */

/**
 * The oldest CLI on PATH that the set-up uses. The package itself works with older ones. The tests
 * also run `pulumi import --file` with a file format that needs 3.254.0.
 */
const pulumiMinimum = "3.254.0";

/**
 * What must be beside `pulumi`: the language host for `runtime: nodejs`, and the starter of the
 * dynamic provider process.
 */
const pulumiCompanions = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/** Environment in which the CLI asks no server but its backend, and installs nothing. */
export const offlinePulumi = {
  PULUMI_SKIP_UPDATE_CHECK: "true",
  PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
};

/** Environment in which `pulumi version` asks no server and writes nothing outside the clone. */
export const quietPulumi = {
  PULUMI_HOME: join(cloneStateFolder, "pulumi-home"),
  PULUMI_SKIP_UPDATE_CHECK: "true",
};

/**
 * A Pulumi CLI with its companions: from PATH, from an earlier set-up, from the vendor, or built
 * from its published Go module.
 *
 * @param {string} node path of the Node that downloads.
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly (keyof typeof languageHosts)[]} languages that it must run besides JavaScript.
 * @returns {Promise<{ path: string, version: string }>} `version` without a `v`.
 */
export async function setUpPulumi(node, env, languages) {
  const version = pinnedPulumi();
  // The other hosts are added to the folder later, and each has a record of its own.
  const sources = [join(goModules.cli, "go.mod"), join(goModules.cli, "go.sum"), goModules.nodejsPythonGo];
  const label = digestOfFiles(projectFolder, sources).slice(0, 8);
  const folder = join(toolsFolder, `pulumi-${version}-${process.platform}-${process.arch}-${label}`);
  const pulumi = { path: join(folder, "pulumi"), version };
  const hosts = languages.map((language) => languageHosts[language]);

  const fromPath = await lookOnPath(env, hosts);
  if (fromPath.path !== undefined) {
    return fromPath;
  }
  const missingHosts = () => hosts.filter((host) => !hasHost(folder, host));
  if (isComplete(folder) && missingHosts().length === 0) {
    return pulumi;
  }

  return withLock(toolsFolder, async () => {
    if (!isComplete(folder)) {
      await getPulumi({ version, folder, node, env, verify }, fromPath.reason);
    }
    for (const host of missingHosts()) {
      try {
        await addHost(folder, host, env);
      } catch (error) {
        throw error instanceof CommandFailed ? missingHost(host, error.reason) : error;
      }
    }
    return pulumi;
  });
}

/**
 * Puts the CLI and its companions into the folder of the order.
 *
 * @param {Order} order
 * @param {string} whyNotFromPath
 */
async function getPulumi(order, whyNotFromPath) {
  const reasons = [
    `PATH: ${whyNotFromPath}`,
    "an earlier set-up: it left no complete one in the tools folder",
  ];
  /** @type {[string, (order: Order) => Promise<void>][]} */
  const ways = [
    ["the vendor's release archive", downloadPulumi],
    ["a build from the published Go module", buildPulumi],
  ];
  for (const [index, [name, get]] of ways.entries()) {
    try {
      await get(order);
      return;
    } catch (error) {
      if (!(error instanceof CommandFailed)) {
        throw error;
      }
      reasons.push(`${name}: ${error.reason}`);
      const next = ways[index + 1];
      if (next) {
        process.stderr.write(`  ${error.reason}\n  Next: ${next[0]}.\n`);
      }
    }
  }
  throw new SetUpError(
    [
      "There is no Pulumi CLI, and every way to get one failed:",
      ...reasons.map((reason, index) => `  ${index + 1}. ${reason}`),
      "Check that this machine reaches the vendor's site or Go's module proxy (\"go env GOPROXY\") and that Go " +
        `${goMinimum()} or newer is installed, or put Pulumi ${pulumiMinimum} or newer on PATH ` +
        "(https://www.pulumi.com/docs/install), and run the same command again. " +
        'Without a CLI, BROWSER_INFRA_TEST_WITHOUT_ENGINE=1 lets "npm test" run the tests that do not need one.',
    ].join("\n"),
  );
}

/**
 * @param {import("./language-hosts.mjs").LanguageHost} host
 * @param {string} reason
 */
function missingHost({ language, program }, reason) {
  return new SetUpError(
    `Pulumi's language host for ${language} is missing, and its build failed: ${reason}. ` +
      'Check that this machine reaches Go\'s module proxy ("go env GOPROXY") and that Go ' +
      `${goMinimum()} or newer is installed, or put Pulumi ${pulumiMinimum} or newer with ${program} on PATH ` +
      "(https://www.pulumi.com/docs/install), and run the same command again.",
  );
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly import("./language-hosts.mjs").LanguageHost[]} hosts
 * @returns {Promise<{ path: string, version: string } | { path?: undefined, reason: string }>}
 */
async function lookOnPath(env, hosts) {
  const path = findOnPath("pulumi", env);
  if (!path) {
    return { reason: "it has no pulumi" };
  }
  let version;
  try {
    version = await askVersion(path, env);
  } catch (error) {
    if (!(error instanceof CommandFailed)) {
      throw error;
    }
    return { reason: error.reason };
  }
  if (!isAtLeast(version, pulumiMinimum)) {
    return { reason: `its pulumi is ${version}, older than ${pulumiMinimum}` };
  }
  const wanted = [...pulumiCompanions, ...hosts.map(({ program }) => program)];
  const missing = wanted.filter((name) => !findOnPath(name, env));
  if (missing.length > 0) {
    return { reason: `it has pulumi ${version} without ${missing.join(" and ")}` };
  }
  return { path, version };
}

/** @param {string} folder */
function isComplete(folder) {
  return ["pulumi", ...pulumiCompanions].every((name) => isExecutable(join(folder, name)));
}

/**
 * Throws `CommandFailed` unless `folder` holds a working CLI of that version with its companions.
 *
 * @param {string} folder
 * @param {string} version
 * @param {NodeJS.ProcessEnv} env
 */
async function verify(folder, version, env) {
  const missing = ["pulumi", ...pulumiCompanions].filter((name) => !isExecutable(join(folder, name)));
  if (missing.length > 0) {
    throw new CommandFailed(`it came without ${missing.join(" and ")}`, []);
  }
  const answer = await askVersion(join(folder, "pulumi"), env);
  if (answer !== version) {
    throw new CommandFailed(`the CLI reports version ${answer}, not ${version}`, []);
  }
}

/**
 * @param {string} path
 * @param {NodeJS.ProcessEnv} env
 */
async function askVersion(path, env) {
  const answer = await runCommand(path, ["version"], {
    cwd: dirname(path),
    env: { ...env, ...quietPulumi },
    secondsMax: 30,
  });
  return answer.trim().replace(/^v/, "");
}
