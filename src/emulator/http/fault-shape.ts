import { z } from "zod";
import { InputError } from "../../errors.js";
import { timerMsMax } from "../../text/duration.js";
import type { FaultRule } from "./fault-action.js";
import { anyText, checkedString, exactly, oneOf, readShape, wholeNumber } from "./shapes.js";

const notAnAction =
  'must be "reset", "close", "end", "hang" or an object with answer, truncateAfterBytes or delayMs';

const notADelay = `must be a number of milliseconds from 0 to ${timerMsMax}`;

const answer = exactly({
  status: wholeNumber(200, 599, "status").describe("HTTP status, 200 to 599."),
  body: z
    .unknown()
    .optional()
    .describe("Body. A string is sent unchanged, any other value as JSON. Default: no body."),
  headers: z
    .record(z.string(), anyText, "must be an object of strings")
    .optional()
    .describe("Headers, which override the emulator's own."),
});

const action = z.union(
  [
    z.enum(["reset", "close", "end", "hang"]),
    z.strictObject({ answer: answer.describe("Response in place of the real response.") }),
    z.strictObject({
      truncateAfterBytes: wholeNumber(0).describe("Number of bytes after which the body is cut."),
    }),
    z.strictObject({
      delayMs: z
        .number(notADelay)
        .min(0, notADelay)
        .max(timerMsMax, notADelay)
        .describe("Delay in milliseconds before the request continues."),
    }),
  ],
  notAnAction,
);

const path = anyText
  .refine((given) => given.startsWith("/"), 'must start with "/"')
  .describe("Start of the percent-encoded path. The query is ignored. Default: any.");

/** Fault in a seed file or a control request: a `FaultRule` without functions. */
export const faultRuleSchema = exactly({
  method: anyText
    .refine((given) => /^[A-Z]+$/.test(given), "must be an HTTP method in upper case")
    .optional()
    .describe("HTTP method, in upper case. Default: any."),
  path: path.optional(),
  pathPattern: checkedString(patternProblem)
    .optional()
    .describe("Regular expression to find in the path, in place of path."),
  nth: wholeNumber(1)
    .optional()
    .describe(
      "Number of the first affected request, counted among the requests that match and reach the point. Default: 1.",
    ),
  times: z
    .union([wholeNumber(1), z.literal("always")], 'must be a whole number of at least 1, or "always"')
    .optional()
    .describe("Number of affected requests, from the first on. Default: 1."),
  at: oneOf("before-reading", "before-commit", "after-commit", "while-answering").describe(
    "Point of the request at which the fault applies.",
  ),
  afterEvents: wholeNumber(0)
    .optional()
    .describe("For while-answering: number of events that the stream sends before the fault. Default: 1."),
  action: action.describe("Effect on the request."),
});

/** Fault from a program. The remaining members are as in a seed. */
const programRule = faultRuleSchema
  .omit({ pathPattern: true })
  .extend({
    path: z.union([z.instanceof(RegExp), path], 'must be a pattern, or start with "/"').optional(),
    times: z
      .union(
        [wholeNumber(1), z.literal(Number.POSITIVE_INFINITY)],
        "must be a whole number of at least 1, or Infinity",
      )
      .optional(),
    action: z.union(
      [...action.options, z.strictObject({ call: z.custom((given) => typeof given === "function") })],
      `${notAnAction}, or call`,
    ),
  })
  .superRefine(({ at, afterEvents, action }, { addIssue }) => {
    const isAnswering = at === "while-answering";
    const kind = typeof action === "string" ? action : (Object.keys(action)[0] ?? "");
    if (afterEvents !== undefined && !isAnswering) {
      addIssue({ code: "custom", path: ["afterEvents"], message: "is only for while-answering" });
    }
    if (!isAnswering && ["end", "truncateAfterBytes"].includes(kind)) {
      addIssue({ code: "custom", path: ["action"], message: `can be ${kind} only at while-answering` });
    }
    if (isAnswering && kind === "answer") {
      const message = "cannot be an answer at while-answering: the real response has already begun";
      addIssue({ code: "custom", path: ["action"], message });
    }
  });

/** Throws `InputError` `fault_invalid` for a malformed rule. */
export function checkFaultRule(rule: FaultRule): void {
  readShape<unknown>(programRule, rule, (problem) => {
    const [property = ""] = problem.split(/\W/, 1);
    return new InputError("fault_invalid", property, `The fault cannot be used: ${problem}.`);
  });
}

/** Converts a rule from a seed file or a control request. `Faults.add` checks the result. */
export function faultRule({ path, pathPattern, times, ...rule }: z.infer<typeof faultRuleSchema>): FaultRule {
  return {
    ...rule,
    path: pathPattern === undefined ? path : new RegExp(pathPattern),
    times: times === "always" ? Number.POSITIVE_INFINITY : times,
  };
}

/** Converts a rule for a control response. A function of the program is shown as `"call"`. */
export function shownRule({ path, times, action, ...rule }: FaultRule) {
  return {
    ...rule,
    ...(path instanceof RegExp ? { pathPattern: path.source } : { path }),
    times: times === Number.POSITIVE_INFINITY ? "always" : times,
    action: typeof action === "object" && "call" in action ? "call" : action,
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
