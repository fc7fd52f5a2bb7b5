/** A part of a duration as Pulumi's `customTimeouts` spells it: "90s", "5m", "1h30m", "1.5h". */
const partPattern = /^(\d+(?:\.\d+)?)(h|ms|m|s)/;

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Longest time that Node's timers count; beyond it they fire at once. Milliseconds. */
export const timerMsMax = 2 ** 31 - 1;

/** Milliseconds of a duration; undefined when it is none. Source of the form: Go's time.ParseDuration, which Pulumi uses. */
export function durationMs(text: string): number | undefined {
  let rest = text.trim();
  let totalMs = 0;
  if (rest === "") {
    return undefined;
  }
  while (rest !== "") {
    const [part, amount, unit] = partPattern.exec(rest) ?? [];
    const factor = unit === undefined ? undefined : unitMs[unit];
    if (part === undefined || factor === undefined) {
      return undefined;
    }
    totalMs += Number(amount) * factor;
    rest = rest.slice(part.length);
  }
  return totalMs;
}

/** A duration as people read it, to the second from one second on: "25 min", "1 h 5 min", "40 s", "500 ms". */
export function durationText(ms: number): string {
  if (ms < 999.5) {
    return `${Math.max(0, Math.round(ms))} ms`;
  }
  const seconds = Math.round(ms / 1_000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 3_600), "h"],
    [Math.floor((seconds % 3_600) / 60), "min"],
    [seconds % 60, "s"],
  ];
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(" ");
}
