import type { FaultPoint } from "./exchange.js";
import type { FaultAction, FaultRule } from "./fault-action.js";
import { checkFaultRule, shownRule } from "./fault-shape.js";
import type { RecordedRequest } from "./request-log.js";

/** What strikes a request. */
export interface Strike {
  readonly action: FaultAction;
  readonly afterEvents: number;
}

/** An active rule. */
export interface FaultHandle {
  /** Its id among the rules of this emulator, such as `fault-1`. */
  readonly id: string;
  /** How often it has struck. A stream counts once it opens. */
  readonly hits: number;
  /** Removes the rule. Requests it holds stay held. */
  remove(): void;
}

interface ActiveRule extends FaultRule {
  readonly id: string;
  seen: number;
  hits: number;
}

/** The active rules, oldest first. All that match a request strike, until one ends it. */
export class Faults {
  readonly #rules = new Set<ActiveRule>();
  #added = 0;

  /** Activates a rule. Throws `InputError` `fault_invalid` when it is malformed. */
  add(rule: FaultRule): FaultHandle {
    checkFaultRule(rule);
    this.#added += 1;
    const active: ActiveRule = { ...rule, id: `fault-${this.#added}`, seen: 0, hits: 0 };
    this.#rules.add(active);
    return {
      id: active.id,
      get hits() {
        return active.hits;
      },
      remove: () => {
        this.#rules.delete(active);
      },
    };
  }

  /** Removes every rule. */
  clear(): void {
    this.#rules.clear();
  }

  /** The active rules, oldest first, as a control request describes them. */
  list() {
    return Array.from(this.#rules, ({ id, hits, seen, ...rule }) => ({ id, hits, ...shownRule(rule) }));
  }

  /** Removes the rule with this id. False when there is none. */
  remove(id: string): boolean {
    return [...this.#rules].some((rule) => rule.id === id && this.#rules.delete(rule));
  }

  /** What strikes this request at this point, in turn. Each one taken counts as a hit. */
  *strike(point: FaultPoint, { method, path }: RecordedRequest): Generator<Strike, void, undefined> {
    for (const rule of this.#rules) {
      if (rule.at !== point || (rule.method !== undefined && rule.method !== method)) {
        continue;
      }
      if (
        typeof rule.path === "string" ? !path.startsWith(rule.path) : rule.path && path.search(rule.path) < 0
      ) {
        continue;
      }
      rule.seen += 1;
      const nth = rule.nth ?? 1;
      if (rule.seen < nth || rule.seen >= nth + (rule.times ?? 1)) {
        continue;
      }
      rule.hits += 1;
      yield { action: rule.action, afterEvents: rule.afterEvents ?? 1 };
    }
  }
}
