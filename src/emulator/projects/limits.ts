/** What a project may use at most. Null: no cap of its own; then that of its organization applies. */
export interface EmulatedLimits {
  /** Browsers at once, those of pools included. */
  readonly maxConcurrentSessions: number | null;
  /** App invocations at once. */
  readonly maxConcurrentInvocations: number | null;
  /** Browsers in pools. Deprecated: null, but for an organization that still has such caps; only the emulator's program and seed can set it. */
  readonly maxPooledSessions: number | null;
}

/** Says what is wrong with a limit, as the end of a sentence; undefined when nothing is. */
export function limitProblem(limit: unknown): string | undefined {
  return limit === null || (Number.isSafeInteger(limit) && (limit as number) > 0)
    ? undefined
    : "must be a whole number from 1, or null for no cap";
}
