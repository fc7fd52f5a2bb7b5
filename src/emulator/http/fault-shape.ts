import { z } from "zod";
import { timerMsMax } from "../../text/duration.js";
import type { FaultRule } from "./faults.js";
import { checkedString, notAString, notTheObject } from "./shapes.js";

const notACount = "must be a whole number of at least 1";

const notAnAction =
  'must be "reset", "close", "end", "hang" or an object with answer, truncateAfterBytes or delayMs';

const answer = z.strictObject(
  {
    status: z.int("must be a whole number").describe("HTTP status, 200 to 599."),
    body: z
      .unknown()
      .optional()
      .describe("A string is sent as it is, anything else as JSON. Default: no body."),
    headers: z
      .record(z.string(), z.string(notAString), "must be an object of strings")
      .optional()
      .describe("Headers, which override the emulator's own."),
  },
  notTheObject,
);

const action = z.union(
  [
    z.enum(["reset", "close", "end", "hang"]),
    z.strictObject({ answer: answer.describe("This answer instead of the real one.") }),
    z.strictObject({
      truncateAfterBytes: z.int().min(0).describe("The body is cut after this many bytes."),
    }),
    z.strictObject({
      delayMs: z.number().min(0).max(timerMsMax).describe("The request waits this long, then continues."),
    }),
  ],
  notAnAction,
);

/** A fault as a seed file or a control request has it: a `FaultRule` without functions. */
export const faultRuleSchema = z.strictObject(
  {
    method: z.string(notAString).optional().describe("HTTP method, in upper case. Default: any."),
    path: z
      .string(notAString)
      .optional()
      .describe("Start of the percent-encoded path. The query is ignored. Default: any."),
    pathPattern: checkedString(patternProblem)
      .optional()
      .describe("Regular expression that is looked for in the path, instead of path."),
    nth: z
      .int(notACount)
      .optional()
      .describe(
        "The first request to strike, counted among those that match and reach the point. Default: 1.",
      ),
    times: z
      .union([z.int(), z.literal("always")], `${notACount}, or "always"`)
      .optional()
      .describe("How many of them are struck from that one on. Default: 1."),
    at: z
      .enum(
        ["before-reading", "before-commit", "after-commit", "while-answering"],
        "must be one of before-reading, before-commit, after-commit, while-answering",
      )
      .describe("Where in the request's life it strikes."),
    afterEvents: z
      .int("must be a whole number of at least 0")
      .optional()
      .describe("How many events of a stream are sent before, for while-answering. Default: 1."),
    action: action.describe("What happens to the request."),
  },
  notTheObject,
);

/** The rule that a seed file or a control request describes. `Faults.add` checks the rest of it. */
export function faultRule({ path, pathPattern, times, ...rule }: z.infer<typeof faultRuleSchema>): FaultRule {
  return {
    ...rule,
    path: pathPattern === undefined ? path : new RegExp(pathPattern),
    times: times === "always" ? Number.POSITIVE_INFINITY : times,
  };
}

function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch {
    return "must be a regular expression";
  }
}
