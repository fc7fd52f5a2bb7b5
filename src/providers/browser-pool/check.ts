import { defaultProjectId } from "../../config.js";
import { ConfigError } from "../../errors.js";
import { autoName, isSameName, unnotedWarning } from "../auto-name.js";
import { type Call, ignoreNotFound } from "../call.js";
import type { CheckFailure, CheckRequest, CheckResult } from "../lifecycle.js";
import { readInPreview, settingsFailures } from "../look.js";
import { unknownValue } from "../properties.js";
import { browserPoolFailures, withReadPolicy } from "./input-failures.js";
import {
  type BrowserPoolInputs,
  type BrowserPoolMemo,
  browserPoolInputs,
  browserPoolMemo,
  type DeclaredPool,
  poolDefaults,
} from "./properties.js";
import type { PoolRun } from "./run.js";

/**
 * Validates the inputs of a BrowserPool and fills in the defaults that the service documents. Only
 * in a preview it asks the service, and refuses what the service would refuse.
 */
export async function checkBrowserPool(
  { olds, news, memo: oldMemo, isPreview = false }: CheckRequest,
  call: Call,
  run: PoolRun,
): Promise<CheckResult> {
  const failures = browserPoolFailures(news);
  const storedMemo = browserPoolMemo.read(oldMemo ?? {});
  const declared = browserPoolInputs.readDeclared(withReadPolicy(news));
  const oldInputs = olds && browserPoolInputs.read(olds);
  const projectId = projectOf(declared.projectId, oldInputs, storedMemo, call, failures);
  const { urn } = call.context;
  const auto = declared.name === undefined ? autoNameOf(projectId, storedMemo, urn) : undefined;
  const name = declared.name ?? (auto === undefined ? unknownValue : auto.name);
  const hasProfile = declared.profileId !== undefined || declared.profileName !== undefined;
  const inputs: DeclaredPool = {
    ...poolDefaults,
    ...(hasProfile ? { refreshOnProfileUpdate: true } : {}),
    ...declared,
    extensionIds: isEmpty(declared.extensionIds) ? undefined : declared.extensionIds,
    chromePolicy: isEmpty(declared.chromePolicy) ? undefined : declared.chromePolicy,
    projectId,
    name,
  };
  const memo: BrowserPoolMemo = { projectDefaulted: declared.projectId === undefined, autoName: auto };
  failures.push(...nameFailures(name, projectId, urn, run));
  if (isPreview && failures.length === 0) {
    failures.push(...(await previewFailures({ inputs, memo, olds: oldInputs }, call, run)));
  }
  return failures.length > 0
    ? { inputs: news, failures }
    : { inputs: browserPoolInputs.write(inputs), failures, memo: browserPoolMemo.write(memo) };
}

/** To have no extension and to leave them out is the same. */
function isEmpty(value: DeclaredPool["extensionIds"] | DeclaredPool["chromePolicy"]): boolean {
  return typeof value === "object" && Object.keys(value).length === 0;
}

/**
 * The project that the pool belongs to. One that came from the settings is kept as long as the
 * resource exists: a changed default never moves what is deployed.
 */
function projectOf(
  declared: DeclaredPool["projectId"],
  olds: BrowserPoolInputs | undefined,
  memo: BrowserPoolMemo,
  call: Call,
  failures: CheckFailure[],
): DeclaredPool["projectId"] {
  try {
    const { settings } = call;
    if (declared !== undefined) {
      return declared;
    }
    return olds !== undefined && memo.projectDefaulted === true ? olds.projectId : defaultProjectId(settings);
  } catch (error) {
    if (!(error instanceof ConfigError)) {
      throw error;
    }
    failures.push({ property: "", reason: error.message });
    return undefined;
  }
}

/**
 * The automatic name, with the project it is for; undefined when that is not known yet. It stays,
 * also when an alias renames the resource. An imported pool without a name has none here.
 */
function autoNameOf(
  projectId: DeclaredPool["projectId"],
  { autoName: earlier }: BrowserPoolMemo,
  urn: string | undefined,
): BrowserPoolMemo["autoName"] {
  if (projectId === unknownValue || urn === undefined) {
    return undefined;
  }
  const isSame = earlier !== undefined && earlier.projectId === projectId;
  return isSame ? earlier : { name: autoName(urn, projectId), projectId };
}

/** The failure of a name that another resource of the program has as well. */
function nameFailures(
  name: DeclaredPool["name"],
  projectId: DeclaredPool["projectId"],
  urn: string | undefined,
  run: PoolRun,
): CheckFailure[] {
  if (typeof name !== "string" || projectId === unknownValue) {
    return [];
  }
  const other = run.claimName(`${projectId ?? ""}/${name}`, urn);
  const reason = `Two BrowserPools of this program have the name "${name}"; the other one is ${other}. Names are unique in a project, whatever their case. Give one of them another "name", or leave it out.`;
  return other === undefined ? [] : [{ property: "name", reason }];
}

/** A BrowserPool as a preview knows it. */
interface PreviewedPool {
  /** What `check` made of the program's inputs. */
  readonly inputs: DeclaredPool;
  readonly memo: BrowserPoolMemo;
  /** Inputs in the state; undefined for what is created, also by a replacement. */
  readonly olds: BrowserPoolInputs | undefined;
}

/**
 * For a preview: what the deployment would refuse about a BrowserPool whose inputs are well-formed.
 * Who has a fixed name may be this pool itself, which a forced replacement deletes first, or may go
 * in the same deployment. So that is a warning.
 */
export async function previewFailures(
  { inputs, memo, olds }: PreviewedPool,
  call: Call,
  run: PoolRun,
): Promise<CheckFailure[]> {
  const { name, projectId } = inputs;
  const project = projectId === unknownValue ? undefined : projectId;
  const failures = await settingsFailures(project, call, memo.projectDefaulted === true ? "" : "projectId");
  if (failures.length > 0 || projectId === unknownValue) {
    return failures;
  }
  failures.push(...(await unknownExtensions(inputs.extensionIds, olds?.extensionIds, project, call)));
  if (failures.length > 0 || typeof name !== "string") {
    return failures;
  }
  const isOwn = isSameName(olds?.name, name) && olds?.projectId === project;
  if (isOwn || run.isReplaced(call.context.urn)) {
    return failures;
  }
  const holder = await readInPreview(call, (limited) =>
    limited.clientFor(project).browserPools.holderOf(name, { signal: limited.context.signal }),
  );
  const isNoted = call.journal
    .creations("browser-pool")
    .pending()
    .some((each) => each.name === name && each.projectId === project);
  if (holder === undefined || isNoted) {
    return failures;
  }
  const isAutomatic = memo.autoName !== undefined && memo.autoName.name === name;
  if (olds === undefined && isAutomatic) {
    call.context.report.warning(unnotedWarning(poolSubject(name, holder.id), "pool", "preview"));
  } else {
    call.context.report.warning(
      `The name "${name}" is taken by browser pool ${holder.id}. The deployment can only go on if it replaces ` +
        `that pool or frees its name. Otherwise it fails, and nothing is created. ${waysOut(holder.id)}`,
    );
  }
  return failures;
}

/** Refuses extensions that the pool does not load yet and that do not exist in the project. */
async function unknownExtensions(
  ids: DeclaredPool["extensionIds"],
  oldIds: BrowserPoolInputs["extensionIds"],
  projectId: string | undefined,
  call: Call,
): Promise<CheckFailure[]> {
  const added = Array.isArray(ids) ? ids.filter((id) => !oldIds?.includes(id)) : [];
  const missing = await Promise.all(
    added.map(async (id) => {
      const found = await readInPreview(call, async (limited) => {
        const { extensions } = limited.clientFor(projectId);
        return { extension: await ignoreNotFound(extensions.get(id, { signal: limited.context.signal })) };
      });
      return found !== undefined && found.extension?.id !== id ? [id] : [];
    }),
  );
  const where = projectId === undefined ? "" : ` in project ${projectId}`;
  const remedy = 'Check the id, which "browser-infra extensions list" shows, and the project.';
  return missing.flat().map((id) => ({
    property: "extensionIds",
    reason: `There is no extension with the id "${id}"${where} for the pool to load. ${remedy}`,
  }));
}

/** A pool as the subject of a sentence. */
export function poolSubject(name: string, id: string): string {
  return `Browser pool "${name}" (${id})`;
}

/** What to do about a pool that has a fixed name already. */
export function waysOut(id: string): string {
  return `To manage pool ${id}, import it. To leave it alone, choose another "name", or leave "name" out to get a unique one.`;
}
