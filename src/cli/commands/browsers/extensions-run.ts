import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ContentScript, runningParts } from "../../../archive/index.js";
import type { ExtensionRun, PageRun, RunPlan } from "../../../chromium/check.js";
import type { Field } from "../../terminal/table.js";
import { displayText } from "../../terminal/text.js";

/** Most pages of a run. Each takes a part of the ten seconds. */
const pagesMax = 8;

/** File of a content script, or a script that the extension has loaded into a page itself. */
interface FileRun {
  readonly file: string;
  readonly kind: "js" | "css";
  /** Null: no page of the run matches, or the browser does not tell which styles were applied. */
  readonly ran: boolean | null;
}

/** Result of `extensions check --run`, for `--json`. */
export interface RunReport {
  /** Why nothing was run; null if the extension ran. */
  readonly problem: string | null;
  readonly pages: readonly {
    readonly url: string;
    readonly isMade: boolean;
    readonly problem: string | null;
  }[];
  readonly files: readonly FileRun[];
  readonly worker: {
    readonly file: string;
    readonly started: boolean;
    readonly problem: string | null;
  } | null;
  readonly errors: ExtensionRun["errors"];
}

/** Plan for an unpacked extension. `url`: address of a real page; undefined for pages of ours. */
export function planOf(folder: string, url: string | undefined) {
  const parts = runningParts(readFileSync(join(folder, "manifest.json")));
  const pages = url === undefined ? addressesOf(parts.contentScripts) : [url];
  const plan: RunPlan = { pages, isReal: url !== undefined, hasWorker: parts.worker !== undefined };
  return { plan, report: (run: ExtensionRun | string) => reportOf(run, parts) };
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

function reportOf(
  run: ExtensionRun | string,
  { contentScripts, worker: file = "" }: ReturnType<typeof runningParts>,
): RunReport {
  if (typeof run === "string") {
    return { problem: run, pages: [], files: [], worker: null, errors: [] };
  }
  const { errors, worker } = run;
  return {
    problem: null,
    pages: run.pages.map(({ url, isMade, problem }) => ({ url, isMade, problem })),
    files: filesOf(run.pages, contentScripts),
    worker: worker && { file, ...worker },
    errors,
  };
}

function filesOf(pages: readonly PageRun[], scripts: readonly ContentScript[]): readonly FileRun[] {
  const all = new Map(scripts.flatMap(({ files }) => files.map((each) => [each.path, each])));
  /** Files that belong to a page. */
  const pathsAt = ({ url }: PageRun) =>
    new Set(scripts.flatMap(({ runsAt, files }) => (runsAt(url) ? files.map(({ path }) => path) : [])));
  const ranAt = (page: PageRun, { path, kind, isIgnored }: ContentScript["files"][number]) => {
    if (isIgnored || kind === "js") {
      return page.scripts.includes(path);
    }
    const styles = [...pathsAt(page)].map((each) => all.get(each));
    const expected = styles.filter((each) => each?.kind === "css" && !each.isIgnored).length;
    return page.styleCount === 0 ? false : page.styleCount < expected ? null : true;
  };
  const ofManifest = [...all.values()].map((file) => {
    const verdicts = pages
      .filter((page) => pathsAt(page).has(file.path) || page.scripts.includes(file.path))
      .map((page) => ranAt(page, file));
    const ran = verdicts.find((each) => each !== true);
    return { file: file.path, kind: file.kind, ran: verdicts.length === 0 ? null : (ran ?? true) };
  });
  const loaded = new Set(pages.flatMap((page) => page.scripts).filter((path) => !all.has(path)));
  return [...ofManifest, ...[...loaded].map((file) => ({ file, kind: "js" as const, ran: true }))];
}

/** Whether a file failed or did not run, or the worker did not start. */
export function hasFailed({ files, worker, errors }: RunReport): boolean {
  return errors.length > 0 || worker?.started === false || files.some(({ ran }) => ran === false);
}

/** Rows for people. */
export function runFields({ problem, pages, files, worker, errors }: RunReport): readonly Field[] {
  const rows = [
    ...(problem === null ? [] : [`not possible: ${problem}`]),
    ...pages.flatMap(({ url, isMade, problem: unloaded }) => [
      `${url}${unloaded === null && isMade ? " (a page made for the check)" : ""}`,
      ...(unloaded === null ? [] : [unloaded, ...(isMade ? ["a page made for the check took its place"] : [])]),
    ]),
    ...(problem === null && pages.length === 0 ? [withoutPage(files, worker !== null)] : []),
    ...files.map(({ file, kind, ran }) => `${verdictText(kind, ran)}: ${file}`),
    ...(worker === null ? [] : [`worker ${worker.started ? "started" : "did not start"}: ${worker.file}`]),
    ...(worker?.problem ? [worker.problem] : []),
    ...errors.map(({ file, line, message }) => `error in ${file}, line ${line}: ${message}`),
  ];
  return rows.map((row, index) => [index === 0 ? "RUN" : "", displayText(row)]);
}

function withoutPage(files: readonly FileRun[], hasWorker: boolean): string {
  const tried = hasWorker ? "only the worker" : "nothing";
  return files.length === 0
    ? `${tried}: the manifest has no content scripts`
    : `${tried}: no address can be made from the patterns; pass one with --run`;
}

function verdictText(kind: FileRun["kind"], ran: boolean | null): string {
  if (ran === null) {
    return "not tried";
  }
  const done = kind === "js" ? "run" : "apply";
  return ran ? { run: "ran", apply: "applied" }[done] : `did not ${done}`;
}
