import { InvalidArgumentError } from "commander";

/** Parser of a whole number. */
export function wholeNumber(min: number, max?: number): (text: string) => number {
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  return (text) => {
    if (/^(?:0|[1-9]\d{0,8})$/.test(text) && Number(text) >= min && Number(text) <= (max ?? Infinity)) {
      return Number(text);
    }
    throw new InvalidArgumentError(`It must be a whole number ${range}.`);
  };
}

/** Parses a number of at least 0. The command checks the range. */
export function anyNumber(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Number(text);
  }
  throw new InvalidArgumentError("It must be a number.");
}

export function collect(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}
