import { z } from "zod";
import {
  anyText,
  checkedString,
  exactly,
  flag,
  listOf,
  notAnObject,
  oneOf,
  wholeNumber,
} from "../../http/shapes.js";
import type { Selector } from "../../storage/ids-and-names.js";
import { snakeCased } from "../../storage/members.js";
import { checkedNetwork, type Network, networkShape } from "./network.js";
import {
  allMemories,
  checkedPolicy,
  checkedSelector,
  nameOrEmpty,
  oneSelector,
  refreshRateFor,
  regions,
  selectorShape,
  type Viewport,
} from "./setting-rules.js";
import {
  changedTelemetry,
  type Telemetry,
  type TelemetryChange,
  telemetryOnWire,
  telemetryShape,
} from "./telemetry.js";

/** Settings shared by all browsers of a pool, and settings for filling the pool. */
export interface PoolSettings {
  readonly size: number;
  /** Percentage of the pool built in a minute. */
  readonly fillRatePerMinute: number;
  /** Seconds after which a leased browser is destroyed. */
  readonly timeoutSeconds: number;
  readonly stealth: boolean;
  readonly headless: boolean;
  readonly kioskMode: boolean;
  /** Selector as given; null without a profile. */
  readonly profile: Selector | null;
  readonly refreshOnProfileUpdate: boolean;
  /** Selectors as given, in order. */
  readonly extensions: readonly Selector[];
  readonly proxyId: string | null;
  readonly viewport: Viewport | null;
  /** Policies by name, returned unchanged. */
  readonly chromePolicy: Readonly<Record<string, unknown>> | null;
  readonly startUrl: string | null;
  /** Captured categories and destination; null without telemetry. */
  readonly telemetry: Telemetry | null;
  /** Region of the browsers. Never changes. */
  readonly region: string;
  readonly memory: string;
  /** Rules in the form of a request, with the ids of proxies; null without rules. */
  readonly network: Network | null;
}

/**
 * Settings to change. Undefined settings are unchanged. An empty string clears an id, a name or a
 * URL; an empty object clears the policy.
 */
export type SettingChanges = {
  readonly [K in Exclude<keyof PoolSettings, "viewport" | "telemetry">]?:
    | NonNullable<PoolSettings[K]>
    | undefined;
} & {
  readonly viewport?:
    | (Omit<Viewport, "refreshRate"> & { readonly refreshRate?: number | undefined })
    | undefined;
  readonly telemetry?: TelemetryChange | undefined;
};

/** Value of a setting in a request. */
type Wanted<K extends keyof PoolSettings> = NonNullable<SettingChanges[K]>;

const pixels = wholeNumber(1);
/** @internal */
export const viewportMembers = { width: pixels, height: pixels, refresh_rate: pixels.optional() };
/** @internal */
export const viewportOf = ({
  width,
  height,
  refresh_rate: refreshRate,
}: z.output<z.ZodObject<typeof viewportMembers>>) => ({ width, height, refreshRate });
const policy = z.record(z.string(), z.unknown(), notAnObject);

/** Definition of a setting: the forms in requests, seeds, pools and responses. */
interface Setting<Value, Wanted> {
  /** Shape in a request. Source: the published interface, unless a comment names another. */
  readonly shape: z.ZodType<Wanted>;
  /** Description in a seed, which has the shape of a request. */
  readonly description: string;
  /** Default if the creation request omits the setting. Source: the published interface. */
  readonly initial: Value;
  /** Converts a value from a request for the pool. Throws `InputError`. */
  fromRequest(wanted: Wanted, before: Value): Value;
  /** Converts a value for a response. Default: unchanged. */
  toResponse?(value: Value): unknown;
}

/** Defines a setting that is stored and returned unchanged. */
function plain<Shape extends z.ZodType, Initial>(shape: Shape, initial: Initial, description: string) {
  return { shape, description, initial, fromRequest: (wanted: z.output<Shape>) => wanted };
}

/** Defines a string setting that an empty string clears. */
function clearable(shape: z.ZodString, description: string) {
  return { ...plain(shape, null, description), fromRequest: (wanted: string) => wanted || null };
}

/**
 * All settings. The forms of settings in requests, seeds and responses are derived from here, and
 * the compiler checks the members against {@link PoolSettings}. @internal
 */
export const poolSettings = {
  size: plain(wholeNumber(1), 1, "Browsers in the pool. No limit applies to a seed."),
  fillRatePerMinute: plain(
    wholeNumber(0),
    25,
    "Percentage of the pool that is built in a minute. Default: 25.",
  ),
  timeoutSeconds: plain(
    wholeNumber(10, 259_200),
    600,
    "Seconds after which a leased browser is destroyed. Default: 600.",
  ),
  stealth: plain(flag, false, "Default: false."),
  headless: plain(flag, false, "Default: false."),
  kioskMode: plain(flag, false, "Default: false."),
  profile: {
    // The service ignores save_changes, as published.
    shape: selectorShape.extend({
      name: nameOrEmpty.optional(),
      save_changes: flag.optional(),
    }),
    description: "Name or id of a profile. A missing profile with the name is created. Default: none.",
    initial: null,
    fromRequest: checkedSelector,
  },
  refreshOnProfileUpdate: plain(flag, false, "Default: true with a profile, else false."),
  extensions: plain(
    // Published for every extension: provide either id or name.
    listOf(oneSelector).max(20, "must have at most 20 extensions"),
    [],
    "Names or ids of extensions of the project, in the order in which they are loaded.",
  ),
  proxyId: clearable(anyText, "Id of a proxy. Default: none."),
  startUrl: clearable(
    // Source: the service's Terraform provider.
    checkedString((url) => (Buffer.byteLength(url) > 2048 ? "must have at most 2048 bytes" : undefined)),
    "URL that new browsers open. Default: none.",
  ),
  chromePolicy: {
    ...plain(policy, null, "Chrome's enterprise policies by name. Default: none."),
    fromRequest: checkedPolicy,
  },
  viewport: {
    shape: exactly(viewportMembers).transform(viewportOf),
    description: "Size of the window in pixels. Default: the size of the image.",
    initial: null,
    fromRequest: ({ refreshRate, ...size }) => ({
      ...size,
      refreshRate: refreshRate ?? refreshRateFor(size),
    }),
    toResponse: (viewport) => viewport && snakeCased({ ...viewport }),
  },
  telemetry: {
    ...plain(telemetryShape, null, "Telemetry, in the form of a request. Default: none."),
    fromRequest: changedTelemetry,
    toResponse: telemetryOnWire,
  },
  region: plain(oneOf(...regions), "us-east", "Region of the browsers. Default: us-east."),
  memory: plain(
    oneOf(...allMemories),
    "8GiB",
    "Memory of a browser. Default: 1GiB if headless, otherwise 8GiB.",
  ),
  network: {
    ...plain(
      networkShape,
      null,
      "Network access of the browsers, in the form of a request. Default: unrestricted.",
    ),
    fromRequest: checkedNetwork,
  },
} satisfies { readonly [K in keyof PoolSettings]: Setting<PoolSettings[K], Wanted<K>> };
