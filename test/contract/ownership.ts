import type { Emulator, RecordedRequest } from "../../src/emulator/index.js";

/** Id of the object in a path, such as `/org/projects/<id>/limits`. A collection has none. */
const objectIn = /^\/(?:(?:org|auth|telemetry)\/[a-z_]+|(?!org\/|auth\/|telemetry\/)[a-z_]+)\/([^/]+)/;

/**
 * Check of an emulator's request log: a stack writes only to objects of its own. The stack and the operators, who
 * are strangers to the stack, have an API key each, and the log has the key's id and the object made by a request.
 * An object is the stack's own if a request with the stack's key has created the object, or if the test has said
 * so (`allow`): borrowed, adopted, imported, or proved by the documented evidence.
 */
export class Ownership {
  readonly #emulator: Emulator;
  /** Ids of the operators' keys. A request without a known key counts as the stack's. */
  readonly #operators: ReadonlySet<string>;
  readonly #own = new Set<string>();
  readonly #makers = new Map<string, string>();
  readonly #violations = new Map<string, string>();
  #begin: string | undefined;

  /** `operatorKeys`: API keys of others. `borrowed`: ids of objects whose settings the stack may change. */
  constructor(emulator: Emulator, operatorKeys: readonly string[] = [], borrowed: readonly string[] = []) {
    this.#emulator = emulator;
    this.#operators = new Set(
      operatorKeys.flatMap((key) => emulator.apiKeyRecords.authenticate(key)?.id ?? []),
    );
    this.allow(...borrowed);
    this.#begin = emulator.requests.at(-1)?.requestId;
  }

  /** Counts objects as the stack's own: adopted, imported, or proved by the documented evidence. */
  allow(...ids: readonly string[]): void {
    for (const id of ids) {
      this.#own.add(id);
    }
  }

  /** Requests so far that changed or deleted an object of others, as sentences. Empty if all is well. */
  violations(): readonly string[] {
    const { requests } = this.#emulator;
    const known = requests.findLastIndex(({ requestId }) => requestId === this.#begin);
    const seen = requests.slice(known + 1);
    for (const { createdId, apiKeyId } of seen) {
      if (createdId !== null) {
        this.#makers.set(createdId, apiKeyId ?? "an unknown key");
        if (!this.#operators.has(apiKeyId ?? "")) {
          this.#own.add(createdId);
        }
      }
    }
    for (const request of seen.filter(
      (each) => isChange(each) && !this.#operators.has(each.apiKeyId ?? ""),
    )) {
      const [, id] = objectIn.exec(request.path) ?? [];
      if (id !== undefined && !this.#own.has(decodeURIComponent(id))) {
        const maker = this.#makers.get(id);
        const by = maker === undefined ? "not by this stack" : `by ${maker}`;
        this.#violations.set(request.requestId, `${request.method} ${request.path}, made ${by}`);
      }
    }
    return [...this.#violations.values()];
  }
}

/** Whether a request changes or deletes an existing object. A rotation ends the rotated key. */
function isChange({ method, path }: RecordedRequest): boolean {
  return ["DELETE", "PATCH", "PUT"].includes(method) || path.endsWith("/rotate");
}
