import type { BrowserPool } from "../../client/index.js";
import { defaultProjectId } from "../../config.js";
import { LookupError } from "../../errors.js";
import { listed } from "../../text/words.js";
import { Accounts, Call, ignoreNotFound } from "../call.js";
import { undoLeftovers } from "../leftovers.js";
import {
  type CheckFailure,
  type CheckRequest,
  type CheckResult,
  type Created,
  type DiffRequest,
  type DiffResult,
  type LifecycleContext,
  PartiallyCreatedError,
  type PreviewRequest,
  type ReadResult,
  type ResourceLifecycle,
  type StoredResource,
  splitImportId,
} from "../lifecycle.js";
import type { PropertyMap } from "../properties.js";
import { changePool, settingsInState, stateOf, withLivePool } from "./change.js";
import { checkBrowserPool, previewFailures } from "./check.js";
import { clearCreations, ensureCreated } from "./create.js";
import {
  type BrowserPoolInputs,
  type BrowserPoolState,
  browserPoolInputs,
  browserPoolMemo,
  browserPoolState,
  changesProviderInputs,
  differingSettings,
  isImageViewport,
  liveProperties,
  viewportOf,
} from "./properties.js";
import { deletePool, keepLeased } from "./removal.js";
import { PoolRun } from "./run.js";
import { waitUntilAvailable } from "./wait.js";

/** The life cycle of a pool of browsers that the service keeps ready. */
export class BrowserPoolLifecycle implements ResourceLifecycle {
  readonly #accounts: Accounts;
  readonly #run = new PoolRun();

  constructor(accounts = new Accounts()) {
    this.#accounts = accounts;
  }

  check(request: CheckRequest, context: LifecycleContext): Promise<CheckResult> {
    this.#run.declared.add(context.urn);
    return checkBrowserPool(request, new Call(context, this.#accounts), this.#run);
  }

  preview({ olds, inputs, memo }: PreviewRequest, context: LifecycleContext): Promise<CheckFailure[]> {
    const previewed = {
      inputs: browserPoolInputs.readDeclared(inputs),
      memo: browserPoolMemo.read(memo ?? {}),
      olds: olds && browserPoolInputs.read(olds),
    };
    return previewFailures(previewed, new Call(context, this.#accounts), this.#run);
  }

  diff({ id, olds, news }: DiffRequest, context: LifecycleContext): DiffResult {
    const state = browserPoolState.read(olds);
    const inputs = browserPoolInputs.readDeclared(news);
    const { journal } = new Call(context, this.#accounts);
    const creations = journal.creations("browser-pool");
    // In a refresh, nothing is declared, and the old outputs are those of the live object.
    if (this.#run.declared.has(context.urn)) {
      journal.pools.declare(id);
      journal.pools.stateHas(id, settingsInState(state));
      creations.declare();
      creations.stateHas(id);
      this.#run.use(id, context.urn);
    }
    // An unknown project is one that is still to be created, so it is another one for certain.
    const moves = state.projectId !== inputs.projectId;
    const losesViewport = state.viewport !== undefined && inputs.viewport === undefined;
    if (journal.pools.mayHaveDeleted(id)) {
      context.report.info(
        `An interrupted deployment may have deleted browser pool ${id}. Replacing it to make sure it exists.`,
      );
      this.#run.replace(context.urn);
      const isDeclared = this.#run.declared.has(context.urn);
      if (isDeclared && !moves && !losesViewport && state.name === inputs.name) {
        this.#run.inDoubt.add(id);
      }
      return { changes: true, replaces: ["name"], deleteBeforeReplace: true };
    }
    if (moves || losesViewport) {
      this.#run.replace(context.urn);
      const replaces = [...(moves ? ["projectId"] : []), ...(losesViewport ? ["viewport"] : [])];
      // Names are unique in a project, and both together may exceed a limit.
      return { replaces, deleteBeforeReplace: true };
    }
    const isSame = differingSettings(state, inputs).length === 0 && !changesProviderInputs(state, inputs);
    const isUnfinished =
      state.unfinished !== undefined || journal.pools.isInDoubt(id) || creations.hasToLook();
    return isSame ? { changes: isUnfinished } : {};
  }

  async create(declared: PropertyMap, context: LifecycleContext): Promise<Created> {
    const inputs = browserPoolInputs.read(declared);
    const call = new Call(context, this.#accounts);
    let { pool, isFound } = await ensureCreated(inputs, call, this.#run);
    const { id } = pool;
    let known: BrowserPoolState = {};
    this.#run.use(id, context.urn);
    if (isFound) {
      this.#run.found.add(id);
      // The earlier run may have declared a viewport, which only a replacement clears.
      const viewport = viewportOf(pool);
      known = viewport === undefined || isImageViewport(viewport) ? {} : { viewport };
      pool = await withLivePool(id, inputs.projectId, call, this.#run, (live) =>
        changePool(live, inputs, {}, call),
      );
    }
    const state = await this.#completed(pool, inputs, known, call);
    return { id, outputs: browserPoolState.write(state) };
  }

  async read(stored: StoredResource, context: LifecycleContext): Promise<ReadResult | undefined> {
    const call = new Call(context, this.#accounts);
    const known = browserPoolState.read(stored.state);
    const { isImport = false } = stored;
    // A lookup knows only the project of the settings. What is deployed stays where it is.
    const isLookup = known.size === undefined;
    const named = isImport ? splitImportId(stored.id, "a browser pool") : { id: stored.id };
    const projectId =
      named.projectId ?? known.projectId ?? (isLookup ? defaultProjectId(call.settings) : undefined);
    const { id } = named;
    const pool = await ignoreNotFound(
      call.clientFor(projectId).browserPools.get(id, { signal: context.signal }),
    );
    if (pool === undefined) {
      if (isLookup) {
        throw nothingToLookUp(id, projectId);
      }
      context.report.warning(
        `Browser pool ${id} is gone: the service does not have it any more. "pulumi up" creates it again.`,
      );
      return undefined;
    }
    const live = liveState(pool, known, isLookup);
    if (!isLookup) {
      reportDrift(id, known, live, context);
    }
    return {
      id: pool.id,
      outputs: browserPoolState.write({ ...live, projectId }),
      inputs: browserPoolInputs.write({ ...live, projectId }),
      ...(isImport
        ? { memo: browserPoolMemo.write(memoOfImport(pool, projectId, named.projectId === undefined)) }
        : {}),
    };
  }

  async update({ id, olds, news }: DiffRequest, context: LifecycleContext): Promise<PropertyMap> {
    const call = new Call(context, this.#accounts);
    const known = browserPoolState.read(olds);
    const inputs = browserPoolInputs.read(news);
    await clearCreations(call, this.#run, undefined, id);
    const changed = await withLivePool(id, inputs.projectId, call, this.#run, async (pool) => ({
      before: pool,
      after: await changePool(pool, inputs, known, call),
    }));
    const { before, after } = changed;
    if (before === after) {
      // An earlier run may have sent the change, and not waited for its browsers.
      call.journal.pools.updateFound(id, settingsInState(stateOf(after, inputs, known)));
    }
    return browserPoolState.write(await this.#completed(after, inputs, known, call));
  }

  async delete({ id, state: stored }: StoredResource, context: LifecycleContext): Promise<void> {
    const call = new Call(context, this.#accounts);
    this.#run.ends(context.urn);
    if (this.#run.found.has(id)) {
      context.report.info(`Keeping browser pool ${id}: its replacement has the same name and reuses it.`);
      return;
    }
    const state = browserPoolState.read(stored);
    if (this.#run.inDoubt.has(id) && (await keepLeased(id, state, call))) {
      return;
    }
    await deletePool(id, state, call, this.#run);
    if (!this.#run.declared.has(context.urn)) {
      // Nothing replaces it, so what an interrupted run may have left goes as well.
      await clearCreations(call, this.#run, undefined, id);
    }
  }

  hasLeftovers(context: LifecycleContext): boolean {
    const { journal } = new Call(context, this.#accounts);
    return journal.creations("browser-pool").hasToUndo((urn) => this.#run.knows(urn));
  }

  async end(isUpdate: boolean | undefined, context: LifecycleContext): Promise<void> {
    const call = new Call(context, this.#accounts);
    const { pools } = call.journal;
    pools.conclude();
    if (isUpdate === true) {
      pools.forgetAnswers();
    }
    await undoLeftovers(call, {
      notesOf: ({ journal }) => journal.creations("browser-pool"),
      knows: (urn) => this.#run.knows(urn),
      isUpdate,
      undo: (theirs) => clearCreations(theirs, this.#run),
    });
    pools.conclude();
  }

  /** What the state keeps of a pool once its browsers are ready, if that is declared. */
  async #completed(
    pool: BrowserPool,
    inputs: BrowserPoolInputs,
    known: BrowserPoolState,
    call: Call,
  ): Promise<BrowserPoolState> {
    const { id } = pool;
    const state = stateOf(pool, inputs, known);
    const differing = differingSettings(state, inputs);
    if (differing.length > 0) {
      call.context.report.warning(
        `Browser pool ${id} has a different ${listed(differing)} than the program declares.`,
      );
    }
    try {
      await waitUntilAvailable(pool, inputs, call);
    } catch (error) {
      if (error instanceof LookupError) {
        throw error;
      }
      const why = error instanceof Error ? error.message : String(error);
      const reason = `Browser pool ${id} exists, but waiting for ${inputs.waitForAvailable} ready browsers failed: ${why}. Run "pulumi up" again to keep waiting.`;
      throw new PartiallyCreatedError(id, browserPoolState.write({ ...state, unfinished: reason }), [reason]);
    }
    return state;
  }
}

/** The pool in the words of what is known of it. An import knows nothing. */
function liveState(pool: BrowserPool, known: BrowserPoolState, isLookup: boolean): BrowserPoolState {
  const viewport = viewportOf(pool);
  const serviceViewport = isLookup && isImageViewport(viewport) ? viewport : known.serviceViewport;
  return { ...known, ...liveProperties(pool, { ...known, serviceViewport }) };
}

/** An imported pool keeps its name, also when the program gives none. */
function memoOfImport({ name }: BrowserPool, projectId: string | undefined, projectDefaulted: boolean) {
  return { projectDefaulted, autoName: { name: name ?? undefined, projectId } };
}

function reportDrift(
  id: string,
  known: BrowserPoolState,
  live: BrowserPoolState,
  { report }: LifecycleContext,
): void {
  const changed = differingSettings(known, live);
  if (changed.length > 0) {
    const isToReplace = known.viewport === undefined && live.viewport !== undefined;
    const outcome = isToReplace
      ? ' The service cannot clear a viewport, so the next "pulumi up" replaces the pool, unless the program declares this one.'
      : "";
    report.info(`Browser pool ${id} was changed outside of this program: its ${listed(changed)}.${outcome}`);
  }
}

/** For a lookup: if it were reported as gone, the engine would continue without its outputs. */
function nothingToLookUp(id: string, projectId: string | undefined): LookupError {
  const where = projectId === undefined ? "" : ` in project ${projectId}`;
  return new LookupError(
    "browser_pool_not_found",
    `There is no browser pool "${id}" to look up${where}. Check the id and the project.`,
  );
}
