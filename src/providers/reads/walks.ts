import { once } from "node:events";
import { foldedName } from "../../client/names.js";
import { BrowserInfraError } from "../../errors.js";
import { type Call, perAccount } from "../call.js";

/** Row of a list, as the client returns the row. */
interface Row {
  readonly id: string;
  readonly name?: string | null;
}

/** Operations on the objects of a project, such as `client.profiles`. `scan` sends a request per page. */
interface Source<Live extends Row> {
  scan(options: {
    readonly signal: AbortSignal;
  }): AsyncGenerator<{ readonly rows: readonly Live[]; readonly isComplete: boolean }, void, undefined>;
}

/** Function that opens the list of a kind in a project, or of the organization. */
export type List<Live extends Row> = (projectId: string | undefined, call: Call) => Source<Live>;

/**
 * A walk through the list of a kind in a project, shared by all reads of a run. The first read is a single read, so
 * a single object costs a request, as without the walk. From the second read on, pages are read on demand, and
 * never more pages than reads so far: at most, the requests double. Only a row that is present counts. For an
 * object without a row, after a failed page, or when the patience of a preview ends, the caller reads alone.
 */
export class Walk<Live extends Row> {
  readonly #source: Source<Live>;
  readonly #stop = new AbortController();
  /** Rows that no read has taken yet, by id. */
  readonly #rows = new Map<string, Live>();
  readonly #ids = new Set<string>();
  readonly #names = new Set<string>();
  readonly #foldedNames = new Set<string>();
  #pages: ReturnType<Source<Live>["scan"]> | undefined;
  #page: Promise<void> | undefined;
  #state: "open" | "ended" | "failed" = "open";
  #hasAllRows = true;
  #readsAsked = 0;
  #pagesRead = 0;
  #waiting = 0;

  /** Sends nothing. See {@link walkOf}. */
  constructor(source: Source<Live>) {
    this.#source = source;
  }

  /** Returns the row of an object, once in a run: a later read shows later changes. Undefined: read alone. */
  async take(id: string, call: Call): Promise<Live | undefined> {
    await this.#readUntil(() => this.#rows.has(id), call);
    const row = this.#rows.get(id);
    this.#rows.delete(id);
    return row;
  }

  /** Whether the list has an object. False: unknown, so read alone. */
  async has(id: string, call: Call): Promise<boolean> {
    await this.#readUntil(() => this.#ids.has(id), call);
    return this.#ids.has(id);
  }

  /**
   * Whether no object had the name when its page was read, compared as the service compares names. False: unknown, so
   * look alone. `wanted`: the name, or a comparison with a name.
   */
  async lacks(wanted: string | ((name: string) => boolean), call: Call): Promise<boolean> {
    const isFound =
      typeof wanted === "string"
        ? () => this.#foldedNames.has(foldedName(wanted))
        : () => [...this.#names].some(wanted);
    await this.#readUntil(isFound, call);
    return this.#state === "ended" && this.#hasAllRows && !isFound();
  }

  async #readUntil(isDecided: () => boolean, { options: { signal }, patience }: Call): Promise<void> {
    this.#readsAsked += 1;
    if (this.#readsAsked === 1 || isDecided()) {
      return;
    }
    // The end of one wait must not end the walk of the others.
    const end = patience.aborted ? Promise.resolve() : once(patience, "abort");
    this.#waiting += 1;
    for (let page = this.#nextPage(); page !== undefined && !patience.aborted; ) {
      await Promise.race([page, end]);
      page = isDecided() ? undefined : this.#nextPage();
    }
    this.#waiting -= 1;
    if (signal.aborted && this.#waiting === 0) {
      this.#stop.abort();
    }
  }

  /** The page that is being read, or the next page; undefined if no further page may be read now. */
  #nextPage(): Promise<void> | undefined {
    if (this.#page === undefined && this.#state === "open" && this.#pagesRead < this.#readsAsked) {
      this.#page = this.#readPage().finally(() => {
        this.#page = undefined;
      });
    }
    return this.#page;
  }

  async #readPage(): Promise<void> {
    this.#pagesRead += 1;
    this.#pages ??= this.#source.scan({ signal: this.#stop.signal });
    try {
      const { value } = await this.#pages.next();
      if (value === undefined) {
        this.#state = "ended";
        return;
      }
      this.#hasAllRows &&= value.isComplete;
      for (const row of value.rows) {
        this.#ids.add(row.id);
        this.#rows.set(row.id, row);
        if (row.name != null) {
          this.#names.add(row.name);
          this.#foldedNames.add(foldedName(row.name));
        }
      }
    } catch (error) {
      // Every caller then reads alone, and reports the error of the own request.
      this.#state = "failed";
      if (!(error instanceof BrowserInfraError)) {
        throw error;
      }
    }
  }
}

/** Walks of an account, by list and project. */
const walksOf = perAccount(() => new Map<List<Row>, Map<string | undefined, Walk<Row>>>());

/**
 * Returns the walk of this run through a list. All users of a list must pass the same function. `projectId`: undefined
 * for the organization, and for the project of the API key.
 */
export function walkOf<Live extends Row>(
  list: List<Live>,
  projectId: string | undefined,
  call: Call,
): Walk<Live> {
  const ofAccount = walksOf(call);
  const ofList = ofAccount.get(list) ?? new Map<string | undefined, Walk<Row>>();
  ofAccount.set(list, ofList);
  const walk = (ofList.get(projectId) as Walk<Live> | undefined) ?? new Walk(list(projectId, call));
  ofList.set(projectId, walk as unknown as Walk<Row>);
  return walk;
}
