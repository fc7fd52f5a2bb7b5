/** Commands common to the nouns of the service: `list`, `get`, `rename` and `delete`. */
import { type Command, Option } from "commander";
import {
  type BrowserInfraClient,
  type CallOptions,
  InputError,
  isMissingOperation,
  type ListOptions,
} from "../client/index.js";
import type { Filter, Listing } from "../providers/reads/listings.js";
import { plural } from "../text/words.js";
import { findByIdOrName, type ReadOperations } from "./find.js";
import { type ServiceCommand, type Session, serviceGroup } from "./session.js";
import { confirm, requireTerminal } from "./terminal/confirm.js";
import { wholeNumber } from "./terminal/option-values.js";
import type { Streams } from "./terminal/streams.js";
import { type CellContent, type Column, type Field, nameCell } from "./terminal/table.js";
import { day, displayText, moment } from "./terminal/text.js";

/** Record of the service. For some kinds, a name does not exist or is optional. */
export interface NounRecord {
  readonly id: string;
  readonly name?: string | null;
}

/** A fact about a record: a column of `list`, and a line of `get`. */
export interface Fact<Row> extends Column<Row> {
  /** Value in `get`. Default: `cell`. If the result is undefined, `get` omits the line. */
  readonly full?: (row: Row) => CellContent | undefined;
  /** Whether `list` omits the fact. Default: false. */
  readonly onlyInGet?: boolean;
}

/** Name of a record; "(none)" without a name. */
export const nameFact: Fact<{ readonly name: string | null }> = {
  header: "NAME",
  cell: nameCell,
  cutWhenNarrow: true,
};

/** Time of an event: the day in `list`, to the second in `get`. */
export function timeFact<Row>(header: string, timeOf: (row: Row) => string | null): Fact<Row> {
  const full = (row: Row) => moment(timeOf(row));
  return { header, cell: (row) => day(timeOf(row)), full, hideWhenNarrow: true };
}

/** Fact that `list` omits. */
export function onlyInGet<Row>(header: string, cell: Fact<Row>["cell"]): Fact<Row> {
  return { header, cell, onlyInGet: true };
}

/** Argument of a command about a single record, found by id only. */
export const byId = { "<id>": "id, as shown by list" };

/** Argument of a command about a single record, found by id or exact name. */
export const byIdOrName = { "<id-or-name>": "id or exact name" };

/** Kind of record in the command line. `help`: text for `--help`. */
export interface Noun<Row extends NounRecord> {
  /** Group of the commands, such as `api-keys`. */
  readonly group: string;
  /** Name in a sentence, such as `API key`. `plural` forms the plural. */
  readonly noun: string;
  readonly listing: Listing<
    ReadOperations<Row> & {
      iterate(filter: never): AsyncGenerator<Row>;
      list(filter: ListOptions): Promise<readonly Row[]>;
      delete(id: string, options: CallOptions): Promise<void>;
    }
  >;
  readonly help: string;
  /** Facts in display order, after the id. */
  readonly facts: readonly Fact<Row>[];
  readonly list: {
    readonly help: string;
    /** Options besides the filters of the listing, `--limit` and `--offset`. Default: none. */
    readonly options?: readonly Option[];
    /** Rows to show. Default: the list of the client. */
    rows?(client: BrowserInfraClient, filter: ListOptions): Promise<readonly Row[]>;
  };
  readonly get: { readonly help: string; readonly options?: readonly Option[] };
  /** Argument of every command about a single record. Default: `byIdOrName`. */
  readonly lookupArgument?: typeof byId;
  /** Default: `findByIdOrName`. `flags`: values of the options; only `get` has any. */
  find?(client: BrowserInfraClient, idOrName: string, signal: AbortSignal, flags: object): Promise<Row>;
  /** Undefined: no `rename` command. */
  readonly rename?: {
    readonly rule: string;
    /** Problem of a name, as the end of a sentence; undefined for a valid name. */
    problem(name: string): string | undefined;
    send(client: BrowserInfraClient, id: string, name: string, options: CallOptions): Promise<Row>;
  };
  /** Undefined: no `delete` command. */
  readonly delete?: { readonly help: string };
  /** Commands of this noun only. Default: none. */
  readonly others?: () => readonly ServiceCommand[];
  /** Local command, which sends no request: `extensions check`. Default: none. */
  readonly local?: (streams: Streams) => Command;
  /** Details of a record in a sentence, besides name and id, escaped. Default: none. */
  details?(row: Row): readonly string[];
}

export function nounCommand<Row extends NounRecord>(noun: Noun<Row>, streams: Streams): Command {
  const others = noun.others?.() ?? [];
  const commands = [listOf(noun), getOf(noun), ...others, renameOf(noun), deleteOf(noun)];
  const known = commands.filter((command) => command !== undefined);
  const group = serviceGroup(noun.group, noun.help, known, streams);
  return noun.local === undefined ? group : group.addCommand(noun.local(streams));
}

export function findRow<Row extends NounRecord>(
  { listing, find }: Noun<Row>,
  client: BrowserInfraClient,
  idOrName: string,
  signal: AbortSignal,
  flags: object = {},
): Promise<Row> {
  return (
    find?.(client, idOrName, signal, flags) ?? findByIdOrName(listing.operations(client), idOrName, signal)
  );
}

function factsOf<Row extends NounRecord>({ facts }: Noun<Row>): readonly Fact<Row>[] {
  return [{ header: "ID", cell: ({ id }) => id }, ...facts];
}

const pageOptions = [
  new Option("--limit <number>", "at most this many (default: all)").argParser(wholeNumber(1)),
  new Option("--offset <number>", "skip this many at the beginning (default: 0)").argParser(wholeNumber(0)),
];

/** Option of `list` for a filter: `--profile-name <name>`. */
function filterOption([filter, { effect, values }]: [string, Filter]): Option {
  const name = filter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const option = new Option(`--${name} <${name.replace(/.*-/, "")}>`, effect);
  return values === undefined ? option : option.choices(values);
}

function listOf<Row extends NounRecord>(noun: Noun<Row>): ServiceCommand<[ListOptions]> {
  const { scope, filters, operations } = noun.listing;
  const { help, options = [], rows = (client, filter) => operations(client).list(filter) } = noun.list;
  return {
    name: "list",
    help,
    scope,
    options: [...Object.entries(filters).map(filterOption), ...options, ...pageOptions],
    async work({ client, output, signal }, filter) {
      const found = await rows(await client(), { ...filter, signal });
      const columns = factsOf(noun).filter(({ onlyInGet }) => !onlyInGet);
      output.printRows(found, columns, `No ${plural(noun.noun)}.`);
    },
  };
}

function getOf<Row extends NounRecord>(noun: Noun<Row>): ServiceCommand<[string, object]> {
  return {
    name: "get",
    ...noun.get,
    scope: noun.listing.scope,
    exitCodes: ["notFound"],
    arguments: noun.lookupArgument ?? byIdOrName,
    async work({ client, output, signal }, idOrName, flags) {
      const row = await findRow(noun, await client(), idOrName, signal, flags);
      const fields = factsOf(noun).flatMap(({ header, cell, full = cell }): Field[] => {
        const shown = full(row);
        return shown === undefined ? [] : [[header, shown]];
      });
      output.printFields(row, fields);
    },
  };
}

function renameOf<Row extends NounRecord>(noun: Noun<Row>): ServiceCommand<[string, string]> | undefined {
  const { rename, lookupArgument = byIdOrName, listing } = noun;
  return (
    rename && {
      name: "rename",
      exitCodes: ["notFound", "unknown"],
      help: `Rename one ${noun.noun}. No confirmation is needed: a second rename undoes the first.`,
      scope: listing.scope,
      arguments: { ...lookupArgument, "<name>": `the new name, ${rename.rule}` },
      async work(session, idOrName, name) {
        // Checked first, so that a wrong name costs no request.
        const problem = rename.problem(name);
        if (problem !== undefined) {
          throw new InputError("name_invalid", "name", `The new name ${problem}.`);
        }
        const { output, signal } = session;
        const client = await session.client();
        const before: NounRecord = await findRow(noun, client, idOrName, signal).catch((error) => {
          // A service may support rename without read. Then only an id identifies the record.
          if (lookupArgument === byId && isMissingOperation(error)) {
            return { id: idOrName };
          }
          throw error;
        });
        const previousName = before.name ?? null;
        const renamed = await rename.send(client, before.id, name, { signal });
        const from = previousName === null ? "" : ` from "${displayText(previousName)}"`;
        output.printOutcome(
          { ...renamed, previousName },
          `Renamed ${noun.noun} ${displayText(renamed.id)}${from} to "${displayText(renamed.name ?? name)}".\n`,
        );
      },
    }
  );
}

function deleteOf<Row extends NounRecord>(noun: Noun<Row>): ServiceCommand<[string, YesFlag]> | undefined {
  const { delete: deletion } = noun;
  return (
    deletion &&
    changeCommand(noun, {
      name: "delete",
      help: deletion.help,
      done: "deleted",
      question: (row) => `Delete ${subjectOf(noun, row)}?`,
      async make({ client, output, signal }, row) {
        // By id: by now, the name may belong to a different record.
        await noun.listing.operations(await client()).delete(row.id, { signal });
        output.printOutcome(row, `Deleted ${subjectOf(noun, row)}.\n`);
      },
    })
  );
}

/** Change of a record, made after a confirmation. */
interface Change<Row, Flags> {
  readonly name: string;
  readonly help: string;
  /** Options besides `--yes`. */
  readonly options?: readonly Option[];
  /** Participle, as in "Nothing was deleted." */
  readonly done: string;
  /** Question to a person; undefined if no confirmation is needed. */
  question(row: Row, flags: Flags): string | undefined;
  make(session: Session, row: Row, flags: Flags): Promise<void>;
}

interface YesFlag {
  readonly yes?: true;
}

/** Command that changes a record, after a question to a person unless `--yes` is given. */
export function changeCommand<Row extends NounRecord, Flags extends object>(
  noun: Noun<Row>,
  { name, help, options = [], done, question, make }: Change<Row, Flags>,
): ServiceCommand<[string, Flags & YesFlag]> {
  return {
    name,
    help,
    scope: noun.listing.scope,
    exitCodes: ["notFound", "declined", "unknown"],
    arguments: noun.lookupArgument ?? byIdOrName,
    options: [...options, new Option("--yes", "do not ask for confirmation; required outside a terminal")],
    async work(session, idOrName, flags) {
      const { client, streams, signal } = session;
      if (!flags.yes) {
        requireTerminal(streams);
      }
      const row = await findRow(noun, await client(), idOrName, signal);
      const asked = question(row, flags);
      if (asked !== undefined && !flags.yes) {
        await confirm(asked, `Nothing was ${done}.`, streams, signal);
      }
      await make(session, row, flags);
    },
  };
}

/** Record in a sentence: `browser pool "agents" (id one, 12 browsers)`. */
export function subjectOf<Row extends NounRecord>({ noun, details }: Noun<Row>, row: Row): string {
  const id = displayText(row.id);
  const { name } = row;
  const [subject, first] =
    name == null ? [id, name === null ? ["no name"] : []] : [`"${displayText(name)}"`, [`id ${id}`]];
  return `${noun} ${subject} (${[...first, ...(details?.(row) ?? [])].join(", ")})`;
}
