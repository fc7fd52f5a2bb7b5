import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ContentScript, runningParts } from "../../../archive/index.js";
import type { ExtensionRun, PageRun, RunPlan } from "../../../chromium/check.js";
import type { Field } from "../../terminal/table.js";
import { displayText } from "../../terminal/text.js";

/** Most pages of a run. Each takes a part of the ten seconds. */
const pagesMax = 8;

/** Parts of a row that fit a terminal of 80 cells beside the label, broken between words. */
const rowParts = /\S{72,}|.{1,71}(?=\s|$)/g;

/** File of a content script, or a script that the extension has loaded into a page itself. */
interface FileRun {
  readonly file: string;
  readonly kind: "js" | "css";
  /** Null: no page of the run matches, or the browser does not tell which styles were applied. */
  readonly ran: boolean | null;
}

/** Result of `extensions check --run`, for `--json`. */
export interface RunReport extends Omit<ExtensionRun, "pages"> {
  readonly pages: readonly Pick<PageRun, "url" | "isMade" | "problem">[];
  readonly files: readonly FileRun[];
}

/** Plan for an unpacked extension. `url`: address of a real page; undefined for pages of ours. */
export function planOf(folder: string, url: string | undefined) {
  const { contentScripts, hasWorker } = runningParts(readFileSync(join(folder, "manifest.json")));
  const pages = url === undefined ? addressesOf(contentScripts) : [url];
  const plan: RunPlan = { pages, isReal: url !== undefined, hasWorker };
  const report = (run: ExtensionRun): RunReport => ({
    ...run,
    pages: run.pages.map((page) => ({ url: page.url, isMade: page.isMade, problem: page.problem })),
    files: filesOf(run.pages, contentScripts),
  });
  return { plan, report };
}

/** Addresses in which, together, each content script runs, as far as addresses can be made. */
function addressesOf(scripts: readonly ContentScript[]): readonly string[] {
  const addresses: string[] = [];
  for (const { runsAt, address } of scripts) {
    if (address !== undefined && !addresses.some(runsAt) && addresses.length < pagesMax) {
      addresses.push(address);
    }
  }
  return addresses;
}

function filesOf(pages: readonly PageRun[], scripts: readonly ContentScript[]): readonly FileRun[] {
  const verdicts = new Map<string, FileRun>();
  const note = (file: string, kind: FileRun["kind"], ran: FileRun["ran"]) => {
    // One page in which a file did not run is enough.
    if (verdicts.get(file)?.ran !== false) {
      verdicts.set(file, { file, kind, ran });
    }
  };
  for (const { file, kind } of scripts.flatMap(({ files }) => files)) {
    note(file, kind, null);
  }
  for (const page of pages) {
    const files = scripts.filter(({ runsAt }) => runsAt(page.url)).flatMap((script) => script.files);
    const styles = new Set(
      files.filter(({ kind, isUsed }) => kind === "css" && isUsed).map(({ file }) => file),
    );
    const styled = page.styleCount === 0 ? false : page.styleCount < styles.size ? null : true;
    for (const { file, kind } of files) {
      note(file, kind, kind === "js" ? page.scripts.includes(file) : styles.has(file) && styled);
    }
    for (const file of page.scripts) {
      note(file, "js", true);
    }
  }
  return [...verdicts.values()];
}

/** Whether a file failed or did not run, or the worker did not start. */
export function hasFailed({ files, worker, errors }: RunReport): boolean {
  return errors.length > 0 || worker?.started === false || files.some(({ ran }) => ran === false);
}

/** Rows for people. */
export function runFields({ problem, pages, files, worker, errors }: RunReport): readonly Field[] {
  const withoutPage =
    files.length === 0
      ? "without a page: the manifest has no content scripts"
      : "without a page: no address follows from the patterns; pass one with --run";
  const rows = [
    problem === null ? [] : `not possible: ${problem}`,
    problem === null && pages.length === 0 ? withoutPage : [],
    pages.flatMap(({ url, isMade, problem: unloaded }) => [
      `${url}${isMade ? " (a page made for the check)" : ""}`,
      ...(unloaded === null ? [] : [unloaded]),
    ]),
    files.map(({ file, kind, ran }) => `${verdictText(kind, ran)}: ${file}`),
    worker === null ? [] : `worker: ${worker.started ? "started" : `did not start: ${worker.problem}`}`,
    errors.map(({ file, line, message }) => `error in ${file}, line ${line}: ${message}`),
  ].flat();
  const lines = rows.flatMap((row) => displayText(row).match(rowParts) ?? []);
  return lines.map((line, index) => [index === 0 ? "RUN" : "", line.trimStart()]);
}

function verdictText(kind: FileRun["kind"], ran: boolean | null): string {
  const [done, failed] = kind === "js" ? ["ran", "did not run"] : ["applied", "not applied"];
  return ran === null ? "not tried" : ran ? done : failed;
}
