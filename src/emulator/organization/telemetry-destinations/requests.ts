/** Shapes of requests. Source of every rule, unless a comment says otherwise: the published page. */
import { z } from "zod";
import { checkedString, exactly, notAString } from "../../http/shapes.js";

const headersMax = 32;
const headerBytesMax = 8192;

/** Describes the problem of a name, as the end of a sentence. Ids have 24 characters. */
export function destinationNameProblem(name: string): string | undefined {
  return /^[a-zA-Z0-9._-]{1,255}$/.test(name) && !/^[a-z0-9]{24}$/.test(name)
    ? undefined
    : "must be 1 to 255 of the characters A-Z a-z 0-9 . _ -, and must not look like an id";
}

/** Describes the problem of an endpoint. The emulator resolves no names, so any host passes. */
export function endpointProblem(endpoint: string): string | undefined {
  return endpoint.length <= 2048 &&
    URL.canParse(endpoint) &&
    /^https?:\/\/[^?#]+$/.test(endpoint) &&
    !/\/v1\/(logs|traces|metrics)\/?$/.test(endpoint)
    ? undefined
    : "must be an http or https URL of at most 2048 characters without query, fragment and signal path";
}

/** Shape of a description. */
export const description = z.string(notAString).max(1024, "must have at most 1024 characters");

/** Shape of headers by name. Guess: an empty value is accepted. */
export function headersOf<Value extends z.ZodType<string | null>>(value: Value) {
  return z.record(z.string(), value, "must be an object of strings").superRefine((headers, { addIssue }) => {
    const names = Object.keys(headers);
    const bytes = Buffer.byteLength([...names, ...Object.values(headers)].join(""));
    if (names.some((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name))) {
      addIssue("must have HTTP tokens as names");
    } else if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
      addIssue("must not have two spellings of one name");
    } else if (names.length > headersMax || bytes > headerBytesMax) {
      addIssue(`must have at most ${headersMax} headers and ${headerBytesMax} bytes`);
    }
  });
}

const name = checkedString(destinationNameProblem);
const endpoint = checkedString(endpointProblem);

/** Body of a creation. */
export const createRequest = exactly({
  name,
  endpoint,
  description: description.optional(),
  headers: headersOf(z.string(notAString)).optional(),
});

/** Body of a change. Null removes a header. */
export const updateRequest = exactly({
  name: name.optional(),
  endpoint: endpoint.optional(),
  description: description.optional(),
  headers: headersOf(z.string("must be a string or null").nullable()).optional(),
});
