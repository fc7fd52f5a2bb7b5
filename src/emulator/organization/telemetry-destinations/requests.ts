/** Shapes of requests. Source of every rule, unless a comment says otherwise: the published page. */
import { z } from "zod";
import { id } from "../../http/seed-members.js";
import { anyText, checkedString, exactly, inputOf } from "../../http/shapes.js";
import { isPublic } from "../../objects/addresses.js";
import { plainNameProblem } from "../../storage/ids-and-names.js";

const headersMax = 32;
const headerBytesMax = 8192;

const name = checkedString(plainNameProblem).describe("Unique in the organization.");

// The emulator resolves no names, so any name passes but those of the machine itself.
const endpoint = checkedString((text) => {
  const url = URL.parse(text);
  return url &&
    isPublic(url) &&
    text.length <= 2048 &&
    /^https?:\/\/[^?#\s]+$/.test(text) &&
    !/\/v1\/(logs|traces|metrics)\/?$/.test(text)
    ? undefined
    : "must be an http or https URL of a public address, of at most 2048 characters without query, fragment and signal path";
}).describe("Base URL of the receiver. Nothing is sent there.");

const description = anyText
  .max(1024, "must have at most 1024 characters")
  .optional()
  .describe("Default: none.");

/** Headers by name. Guess: an empty value is accepted. */
function headersOf<Value extends z.ZodType<string | null>>(value: Value) {
  const headers = z.record(z.string(), value, "must be an object of strings");
  const checked = headers.superRefine((given, { addIssue }) => {
    const names = Object.keys(given);
    const bytes = Buffer.byteLength([...names, ...Object.values(given)].join(""));
    if (names.some((each) => !/^[\w!#$%&'*+.^`|~-]+$/.test(each))) {
      addIssue("must have HTTP tokens as names");
    } else if (Object.values(given).some((each) => /[\r\n\0]/.test(each ?? ""))) {
      addIssue("must not have a line break in a value");
    } else if (new Set(names.map((each) => each.toLowerCase())).size < names.length) {
      addIssue("must not have two spellings of one name");
    } else if (names.length > headersMax || bytes > headerBytesMax) {
      addIssue(`must have at most ${headersMax} headers and ${headerBytesMax} bytes`);
    }
  });
  return checked.optional().describe("Values by name. Default: none.");
}

/** Body of a creation. @internal */
export const createRequest = exactly({
  name,
  endpoint,
  description,
  headers: headersOf(anyText),
});

/** Body of a change. Null removes a header. @internal */
export const updateRequest = exactly({
  name: name.optional(),
  endpoint: endpoint.optional(),
  description,
  headers: headersOf(z.string("must be a string or null").nullable()),
});

/** Telemetry destination in a seed. @internal */
export const telemetryDestinationEntry = createRequest.extend({ id: id.optional() });

const inputEntry = () => inputOf(telemetryDestinationEntry);
const inputSettings = () => inputOf(updateRequest);

/** Destination to create: the members of a request, and an id. Default of the id: a new one. */
export type NewEmulatedTelemetryDestination = ReturnType<typeof inputEntry>;

/** Settings to change: the members of a request. Null removes a header. */
export type TelemetryDestinationSettings = ReturnType<typeof inputSettings>;
