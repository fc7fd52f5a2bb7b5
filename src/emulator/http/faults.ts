import type { FaultPoint } from "./exchange.js";
import type { FaultAction, FaultRule } from "./fault-action.js";
import { checkFaultRule, shownRule } from "./fault-shape.js";
import type { OpenRequest } from "./request-log.js";

/** Effect of a matching rule on a request. */
export interface MatchedFault {
  readonly action: FaultAction;
  readonly afterEvents: number;
}

/** An active rule. */
export interface FaultHandle {
  /** Id among the rules of this emulator, such as `fault-1`. */
  readonly id: string;
  /** Number of requests affected so far. A stream counts once opened. */
  readonly hits: number;
  /** Removes the rule. Requests held by the rule stay held. */
  remove(): void;
}

interface ActiveRule extends FaultRule {
  readonly id: string;
  matchCount: number;
  hits: number;
}

/** Active rules, oldest first. All that match a request apply, until a rule ends the request. */
export class Faults {
  readonly #rules = new Set<ActiveRule>();
  #added = 0;

  /** Activates a rule. Throws `InputError` `fault_invalid` for a malformed rule. */
  add(rule: FaultRule): FaultHandle {
    checkFaultRule(rule);
    this.#added += 1;
    const active: ActiveRule = { ...rule, id: `fault-${this.#added}`, matchCount: 0, hits: 0 };
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

  clear(): void {
    this.#rules.clear();
  }

  /** Lists the active rules, oldest first, in the form of control requests. */
  list() {
    return Array.from(this.#rules, ({ id, hits, matchCount, ...rule }) => ({
      id,
      hits,
      ...shownRule(rule),
    }));
  }

  /** Removes a rule by id. False if no rule has the id. */
  remove(id: string): boolean {
    return [...this.#rules].some((rule) => rule.id === id && this.#rules.delete(rule));
  }

  /**
   * Yields the matching rules for a request at a fault point, oldest first. Every yielded rule
   * counts as a hit, and the request records the rule.
   */
  *match(point: FaultPoint, request: OpenRequest): Generator<MatchedFault, void, undefined> {
    const { method, path } = request;
    for (const rule of this.#rules) {
      if (rule.at !== point || (rule.method !== undefined && rule.method !== method)) {
        continue;
      }
      if (
        typeof rule.path === "string" ? !path.startsWith(rule.path) : rule.path && path.search(rule.path) < 0
      ) {
        continue;
      }
      rule.matchCount += 1;
      const nth = rule.nth ?? 1;
      if (rule.matchCount < nth || rule.matchCount >= nth + (rule.times ?? 1)) {
        continue;
      }
      rule.hits += 1;
      request.fault = rule.id;
      yield { action: rule.action, afterEvents: rule.afterEvents ?? 1 };
    }
  }
}
