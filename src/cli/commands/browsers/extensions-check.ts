import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { readExtension, writeShipped } from "../../../archive/index.js";
import { checkIn } from "../../../chromium/check.js";
import { withChromium } from "../../../chromium/extensions.js";
import { findChromium } from "../../../chromium/find.js";
import { ArchiveError, InputError } from "../../../errors.js";
import { counted } from "../../../text/words.js";
import { CommandEnd, exitCode } from "../../exit-code.js";
import { jsonOption } from "../../session.js";
import { interruptible } from "../../terminal/interrupt.js";
import { Output } from "../../terminal/output.js";
import { withProgress } from "../../terminal/progress-line.js";
import type { Streams } from "../../terminal/streams.js";
import { displayText } from "../../terminal/text.js";
import { newCommand } from "../new-command.js";
import { hasFailed, planOf, runFields } from "./extensions-run.js";
import { contentsResult, excludeOption, remarkContents } from "./extensions-upload.js";

/** Longest time for the start of the browser and all responses, in milliseconds. */
const browserMsMax = 60_000;

interface CheckFlags {
  readonly exclude?: readonly string[];
  readonly browser?: string;
  /** Address of a page, or true for a page of ours. */
  readonly run?: string | true;
  readonly json?: true;
}

/** `browser-infra extensions check`: checks an extension with our rules and in a browser. */
export function checkCommand(streams: Streams): Command {
  const help = "Check whether an extension would load, with the Chromium of this machine if there is one.";
  return newCommand("check", help)
    .argument("<path>", "folder with manifest.json at its top level, or .zip or .crx file")
    .addOption(excludeOption)
    .option(
      "--browser <path>",
      "Chromium or Chrome for the check (default: the browser of this machine, if any)",
    )
    .option(
      "--run [url]",
      "run it in the browser too: in the page at the address, or in one that matches",
      pageAddress,
    )
    .addOption(jsonOption)
    .action((path: string, flags: CheckFlags) =>
      interruptible((signal) => check(path, flags, streams, signal)),
    );
}

function pageAddress(url: string): string {
  if (URL.canParse(url) && ["http:", "https:", "file:"].includes(new URL(url).protocol)) {
    return url;
  }
  throw new InvalidArgumentError("It must be an address that begins with http://, https:// or file://.");
}

async function check(path: string, flags: CheckFlags, streams: Streams, signal: AbortSignal): Promise<void> {
  const { exclude = [], browser = findChromium(streams.env.PATH), run, json = false } = flags;
  if (run !== undefined && browser === undefined) {
    throw new InputError(
      "usage_invalid",
      "run",
      "--run needs a Chromium or Chrome, and PATH has none. Install one, or name one with --browser.",
    );
  }
  const options = { exclude, signal, baseFolder: process.cwd() };
  const output = new Output(streams, json);
  const [contents, problem] = await readExtension(path, options).then(
    (read) => [read, null] as const,
    (error) => [undefined, manifestProblem(error)] as const,
  );
  const verdict =
    browser === undefined
      ? null
      : await withProgress(streams, "Checking in the browser", () => loadCopy(browser, path, run, options));
  if (contents !== undefined) {
    remarkContents(contents, output);
  }
  const result = {
    loads: problem === null,
    problem,
    ...contentsResult(contents),
    browser: verdict,
  };
  output.printFields(result, [
    ["CHECK", problem === null ? `loads, ${counted(result.fileCount ?? 0, "file")}` : displayText(problem)],
    [
      "BROWSER",
      verdict === null
        ? { text: "not checked: no Chromium or Chrome was found, and no --browser", style: "dim" }
        : displayText(`${verdict.name} ${verdict.loads ? "loads it" : `refuses it: ${verdict.problem}`}`),
    ],
    ...(verdict?.warnings ?? []).map((warning): [string, string] => ["", displayText(`warns: ${warning}`)]),
    ...(verdict?.run ? runFields(verdict.run) : []),
  ]);
  if (!result.loads || verdict?.loads === false || (verdict?.run && hasFailed(verdict.run))) {
    throw new CommandEnd(exitCode.failed);
  }
}

/** Problem of a manifest that Chromium would refuse. Throws every other error. */
function manifestProblem(error: unknown): string {
  if (error instanceof ArchiveError && error.code === "archive_manifest_invalid") {
    return error.message;
  }
  throw error;
}

/**
 * Loads, and on demand runs, a copy of the shipped files: a browser may write into a loaded folder. Returns the
 * part of the output of `--json` about the browser.
 */
async function loadCopy(
  browser: string,
  path: string,
  run: CheckFlags["run"],
  options: { readonly signal: AbortSignal } & NonNullable<Parameters<typeof readExtension>[1]>,
) {
  const folder = mkdtempSync(join(tmpdir(), "browser-infra-check-"));
  try {
    await writeShipped(path, folder, options);
    const planned = run === undefined ? undefined : planOf(folder, run === true ? undefined : run);
    const loaded = await withChromium(browser, browserMsMax, options.signal, (chromium) =>
      checkIn(chromium, folder, planned?.plan),
    );
    const { browser: name, problem, warnings, run: ran } = loaded;
    const report = planned && { run: ran ? planned.report(ran) : null };
    return { name, loads: problem === null, problem, warnings, ...report };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
