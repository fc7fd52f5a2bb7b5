import { ApiError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { listed } from "../../../text/words.js";
import type { Call } from "../../call.js";
import { readInPreview } from "../../preview-reads.js";
import type { PropertyMap } from "../../properties.js";
import type { DeclaredOfKnown } from "../declared.js";
import { sentNames } from "../marks.js";
import type { ReplacedObject } from "../run.js";
import type { AnyObject, LiveObject, Named } from "./declaration.js";

/** Maximum number of setting names in a message. */
const listedMax = 20;

/** Old object of a replacement: the last state, and the settings that the program does not declare. */
interface Predecessor {
  readonly state: Named;
  readonly settings: PropertyMap;
}

/**
 * Keeps the settings, not declared in the program, of objects that this run deletes or a refresh finds
 * missing. A new object of the same resource inherits the settings in this run, but in no later command.
 */
export class Inheritance {
  readonly #resource: AnyObject;
  readonly #kind: NonNullable<AnyObject["undeclared"]>;
  /** Deleted or missing objects with their undeclared settings, by URN, until the new object is created. */
  readonly #predecessors = new Map<string | undefined, Predecessor>();

  constructor(resource: AnyObject, kind: NonNullable<AnyObject["undeclared"]>) {
    this.#resource = resource;
    this.#kind = kind;
  }

  /** Before a deletion: keeps the undeclared settings of the live object for a replacement in this run. */
  async save(id: string, state: Named, call: Call): Promise<void> {
    const live = await this.#resource.find(id, state.projectId, call);
    if (live !== undefined) {
      this.#predecessors.set(call.context.urn, this.#predecessor(live, state));
    }
  }

  /** For an object that a refresh finds missing: keeps and reports the undeclared settings in the state. */
  saveGone(id: string, state: Named, { context: { urn, report } }: Call): void {
    const settings = this.#kind.undeclaredSettings(undefined, state);
    this.#predecessors.set(urn, { state, settings });
    const names = this.#kind.namesIn?.(settings) ?? Object.keys(settings);
    if (names.length > 0) {
      const { noun } = this.#resource;
      report.info(
        `Undeclared settings of ${noun} ${id}: ${listed(names, listedMax)}. A new ${noun} inherits them in the same command only, so declare those that are needed.`,
      );
    }
  }

  /**
   * Returns the state as if the program had declared the settings that an interrupted request may have set.
   * An update then resets such settings to the declaration, and a replacement does not inherit the values.
   */
  withSent(live: LiveObject, state: Named): Named {
    const names = sentNames(state);
    return names.length === 0 ? state : this.#kind.asDeclared(names, live, state);
  }

  #predecessor(live: LiveObject, state: Named): Predecessor {
    return { state, settings: this.#kind.undeclaredSettings(live, this.withSent(live, state)) };
  }

  /** Creates an object with settings inherited from the old object. Reports inherited and lost settings. */
  async create(inputs: Named, name: string, call: Call): Promise<LiveObject> {
    const { report, urn } = call.context;
    const predecessor = this.#predecessors.get(urn);
    const { settings, kept } = this.#inherit(predecessor, inputs, call);
    try {
      const created = await this.#resource.create({ ...inputs, ...settings }, name, call);
      this.#predecessors.delete(urn);
      if (kept !== undefined) {
        report.info(kept);
      }
      return created;
    } catch (error) {
      throw error instanceof ApiError && kept !== undefined
        ? error.withAdvice(`${kept} If one of these settings is the cause, declare it with another value.`)
        : error;
    }
  }

  /** For the preview of a replacement: reports the settings that the new object will inherit or lose. */
  async reportInheritance(
    { id, projectId, state = {} }: ReplacedObject,
    inputs: DeclaredOfKnown<Named>,
    call: Call,
  ): Promise<void> {
    const live = await readInPreview(call, (limited) => this.#resource.find(id, projectId, limited));
    const old = live && this.#predecessor(live, this.#resource.state.read(state));
    const { kept } = this.#inherit(old, inputs, call);
    if (kept !== undefined) {
      call.context.report.info(kept);
    }
  }

  /** Settings that a new object inherits from the old. `kept`: message that names them. Warns of lost ones. */
  #inherit(predecessor: Predecessor | undefined, inputs: DeclaredOfKnown<Named>, { context }: Call) {
    if (predecessor === undefined) {
      return { settings: {} };
    }
    const { noun } = this.#resource;
    const { state, settings: undeclared } = predecessor;
    const { settings, lost } = this.#kind.inherit(undeclared, state, inputs);
    const names = this.#kind.namesIn?.(settings) ?? Object.keys(settings);
    const what = `The new ${noun}${typeof inputs.name === "string" ? ` ${quote(inputs.name)}` : ""}`;
    if (lost.length > 0) {
      context.report.warning(
        `${what} does not inherit these undeclared settings of its predecessor: ${listed(lost, listedMax)}. ` +
          "They belong to the former project, do not fit, or are unknown to this version. Declare those that are needed.",
      );
    }
    const kept = `${what} inherits these undeclared settings of its predecessor: ${listed(names, listedMax)}.`;
    return { settings, kept: names.length === 0 ? undefined : kept };
  }
}
