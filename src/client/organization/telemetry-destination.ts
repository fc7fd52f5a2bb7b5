import { z } from "zod";
import { telemetryDestinationNameProblem } from "../names.js";
import { type SettingProblem, settingProblems } from "../options.js";
import { dateTime, ifReadable, record, recordId } from "../schema.js";

/** Settings, records and checks of telemetry destinations. Source: the service's description. */

/** Changes of a telemetry destination. Omitted settings stay unchanged. */
export interface TelemetryDestinationChanges {
  /** Unique in the organization: 1 to 255 of A-Z a-z 0-9 . _ -, and not in the form of an id. */
  readonly name?: string | undefined;
  /**
   * Base URL that receives OTLP, such as `https://otlp.example.com`: http or https, at most 2048
   * characters, without `/v1/logs`, `/v1/traces` or `/v1/metrics` at the end, query and fragment.
   * The service exports to public addresses only, and follows no redirects.
   */
  readonly endpoint?: string | undefined;
  /** At most 1024 characters. Null removes the description. */
  readonly description?: string | null | undefined;
  /**
   * Values of the HTTP headers of an export, by name. Secret. Null removes a header; omitted headers
   * stay. At most 32 headers, and 8192 bytes of names and values. Case does not count in names.
   */
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
}

export interface NewTelemetryDestination extends TelemetryDestinationChanges {
  readonly name: string;
  readonly endpoint: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A telemetry destination of the organization, with the results of the exports. */
export interface TelemetryDestination {
  /** Unique id; treat it as opaque. */
  readonly id: string;
  /** Unique in the organization. */
  readonly name: string;
  /** Base URL that receives OTLP. */
  readonly endpoint: string;
  /** Description, if any. */
  readonly description: string | null;
  /** Names of the headers, in the spelling of the service. */
  readonly headerNames: readonly string[];
  /** Exports that have failed since the last success, if readable. */
  readonly consecutiveFailures: number | null;
  /** Last failure, in the service's words. Stays after the recovery. */
  readonly lastError: string | null;
  /** Time of the last failure, as an ISO 8601 date-time. */
  readonly lastErrorAt: string | null;
  /** Time of the last export, as an ISO 8601 date-time. */
  readonly lastExportAt: string | null;
  /** Creation time, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** Time of the last change, as an ISO 8601 date-time, if readable. */
  readonly updatedAt: string | null;
}

const text = ifReadable(z.string());
const time = ifReadable(dateTime);

/** A telemetry destination. The service sends no values of headers. @internal */
export const telemetryDestinationSchema: z.ZodType<TelemetryDestination> = record({
  id: recordId,
  name: z.string(),
  endpoint: z.string(),
  description: text,
  headers: z.record(z.string(), z.unknown()),
  consecutive_failures: ifReadable(z.int().nonnegative()),
  last_error: text,
  last_error_at: time,
  last_export_at: time,
  created_at: time,
  updated_at: time,
}).transform(({ headers, ...others }) => ({ ...others, headerNames: Object.keys(headers) }));

/** Limits of the service. */
const endpointCharactersMax = 2048;
const descriptionCharactersMax = 1024;
const headersMax = 32;
const headerBytesMax = 8192;

/** Reports all problems of the settings, without the value of a header. @internal */
export function telemetryDestinationProblems({
  name,
  endpoint,
  description,
  headers = {},
}: TelemetryDestinationChanges): readonly SettingProblem[] {
  return settingProblems([
    ["name", name === undefined ? undefined : telemetryDestinationNameProblem(name)],
    ["endpoint", endpoint === undefined ? undefined : endpointProblem(endpoint)],
    [
      "description",
      [...(description ?? "")].length > descriptionCharactersMax
        ? `must have at most ${descriptionCharactersMax} characters`
        : undefined,
    ],
    ["headers", headersProblem(headers)],
  ]);
}

function endpointProblem(endpoint: string): string | undefined {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || /[?#\s]/.test(endpoint)) {
    return "must be an http or https URL without a query and a fragment, such as https://otlp.example.com";
  }
  if (/\/v1\/(logs|traces|metrics)\/?$/.test(url.pathname)) {
    return "must be the base of the URL, without /v1/logs, /v1/traces or /v1/metrics at the end";
  }
  return endpoint.length > endpointCharactersMax
    ? `must have at most ${endpointCharactersMax} characters`
    : undefined;
}

/** Describes a value that no header can have, as the end of a sentence without the value. @internal */
export function headerValueProblem(value: string): string | undefined {
  return /[^\t -~\x80-\uffff]/.test(value) ? "has a line break or a control character" : undefined;
}

function headersProblem(headers: Readonly<Record<string, string | null>>): string | undefined {
  const names = Object.keys(headers);
  const bytes = Object.entries(headers).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name + (value ?? "")),
    0,
  );
  const problems: readonly [boolean, string][] = [
    [names.some((name) => !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)), "has a name that is no HTTP header"],
    [
      new Set(names.map((name) => name.toLowerCase())).size < names.length,
      "has two spellings of one name; case does not count in the names of headers",
    ],
    [Object.values(headers).includes(""), "has a header without a value"],
    [
      Object.values(headers).some((value) => headerValueProblem(value ?? "") !== undefined),
      "has a value with a line break or a control character",
    ],
    [names.length > headersMax, `must have at most ${headersMax} headers`],
    [bytes > headerBytesMax, `must have at most ${headerBytesMax} bytes of names and values`],
  ];
  return problems.find(([applies]) => applies)?.[1];
}
