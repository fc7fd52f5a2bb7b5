/**
 * Packs the package like `npm publish` and checks the contents: publint reads package.json and the
 * files named there, and are-the-types-wrong resolves every entry as each kind of program does.
 * Ends with 1 if either finds anything, warnings included. Needs dist.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { packPackage } from "../setup/npm.mjs";
import { readPackageJson } from "../setup/project.mjs";
import { runMain } from "../setup/set-up-error.mjs";

/**
 * Findings of are-the-types-wrong that are allowed, as `kind entry resolution`. Pulumi's own
 * process loads `dynamic/v1` by name, so no program imports these types.
 */
const expected = ["NoResolution ./dynamic/v1 node10"];

await runMain(async () => {
  const tarball = await pack();
  const found = [...(await publintFindings(tarball)), ...(await typesFindings(tarball))];
  const problems = found.filter((each) => !expected.includes(each));
  const gone = expected.filter((each) => !found.includes(each));
  for (const problem of problems) {
    console.log(`The packed package: ${problem}`);
  }
  for (const each of gone) {
    console.log(
      `No longer found, so remove it from "expected" in scripts/publish/check-package.mjs: ${each}`,
    );
  }
  return problems.length + gone.length > 0 ? 1 : 0;
});

/** @returns {Promise<Uint8Array<ArrayBuffer>>} the bytes of the tarball. */
async function pack() {
  const folder = mkdtempSync(join(tmpdir(), "browser-infra-pack-"));
  try {
    return new Uint8Array(readFileSync(await packPackage(folder, process.env)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} tarball
 * @returns {Promise<string[]>}
 */
async function publintFindings(tarball) {
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  const manifest = readPackageJson();
  return messages.map((message) => formatMessage(message, manifest, { color: false }) ?? message.code);
}

/**
 * @param {Uint8Array<ArrayBuffer>} tarball
 * @returns {Promise<string[]>}
 */
async function typesFindings(tarball) {
  const result = await checkPackage(createPackageFromTarballData(tarball));
  if (result.types === false) {
    return ["it has no types"];
  }
  return result.problems.map((problem) =>
    [
      problem.kind,
      "entrypoint" in problem ? problem.entrypoint : "fileName" in problem ? problem.fileName : "",
      "resolutionKind" in problem ? problem.resolutionKind : "",
    ]
      .join(" ")
      .trim(),
  );
}
