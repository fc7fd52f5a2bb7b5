import { z } from "zod";
import { extensionNameProblem } from "../extensions/store.js";
import { checkedString, notAString } from "../http/shapes.js";
import { type SettingChanges, telemetryCategories } from "./settings.js";

const notAnObject = "must be an object";
const notAJsonObject = "must be a JSON object";
const notAnExtension = "must be an object with an id or a name";

const flag = z.boolean("must be true or false");
const text = z.string(notAString);

function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): z.ZodInt {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const problem = `must be a whole number ${range}`;
  return z.int(problem).min(least, problem).max(most, problem);
}

// The published pattern is that of extensions. So is the guess about names that look like ids.
const name = checkedString(extensionNameProblem);

const selector = z.object({ id: text.optional(), name: text.optional() }, notAnExtension);

/** The shapes of single settings. Source: the published interface, where nothing else is said. */
export const settingShapes = {
  size: wholeNumber(1),
  fillRatePerMinute: wholeNumber(0),
  timeoutSeconds: wholeNumber(10, 259_200),
  flag,
  profile: selector,
  // Provide either id or name, it says of each.
  extensions: z
    .array(
      selector.refine(({ id, name }) => Boolean(id) !== Boolean(name), "must have either an id or a name"),
      "must be a list",
    )
    .max(20, "must have at most 20 extensions"),
  proxyId: text,
  startUrl: text.max(2048, "must have at most 2048 characters"),
  chromePolicy: z.record(z.string(), z.unknown(), notAnObject),
  pixels: wholeNumber(1),
} as const;

const category = z.object({ enabled: flag.optional() }, notAnObject);
const telemetry = z.object(
  {
    enabled: flag.optional(),
    browser: z
      .object(Object.fromEntries(telemetryCategories.map((each) => [each, category.optional()])), notAnObject)
      .optional(),
  },
  notAnObject,
);

const notCategories = `must be an object of the categories ${telemetryCategories.join(", ")}`;

/** Which categories are captured, as a seed says it. */
export const telemetryShape = z
  .record(z.string(), flag, notCategories)
  .refine((given) => Object.keys(given).every((each) => telemetryCategories.includes(each)), notCategories);

/** Members of both kinds of request. */
const members = {
  fill_rate_per_minute: settingShapes.fillRatePerMinute.optional(),
  timeout_seconds: settingShapes.timeoutSeconds.optional(),
  stealth: flag.optional(),
  headless: flag.optional(),
  kiosk_mode: flag.optional(),
  profile: settingShapes.profile.optional(),
  refresh_on_profile_update: flag.optional(),
  extensions: settingShapes.extensions.optional(),
  proxy_id: settingShapes.proxyId.optional(),
  start_url: settingShapes.startUrl.optional(),
  chrome_policy: settingShapes.chromePolicy.optional(),
  viewport: z
    .object(
      {
        width: settingShapes.pixels,
        height: settingShapes.pixels,
        refresh_rate: settingShapes.pixels.optional(),
      },
      notAnObject,
    )
    .optional(),
  telemetry: telemetry.nullish(),
};

/** What a request asks for. */
interface WantedPool<Changes> {
  readonly name: string | undefined;
  readonly changes: Changes;
}

/** Body of a request that creates a pool. */
export const createRequest: z.ZodType<WantedPool<SettingChanges & { readonly size: number }>> = z
  .object({ size: settingShapes.size, name: name.optional(), ...members }, notAJsonObject)
  .transform(({ name, size, ...wire }) => ({ name, changes: { ...changesOf(wire), size } }));

/** Body of a request that changes a pool. An empty name changes nothing, as published. */
export const updateRequest: z.ZodType<WantedPool<SettingChanges> & { readonly discardsIdle: boolean }> = z
  .object(
    {
      size: settingShapes.size.optional(),
      name: checkedString((text) => (text === "" ? undefined : extensionNameProblem(text))).optional(),
      discard_all_idle: flag.optional(),
      ...members,
    },
    notAJsonObject,
  )
  .transform(({ name, size, discard_all_idle, ...wire }) => ({
    name: name || undefined,
    discardsIdle: discard_all_idle === true,
    changes: { ...changesOf(wire), size },
  }));

/** Body of a request that deletes a pool. */
export const deleteRequest = z.object({ force: flag.optional() }, notAJsonObject);

const notTags = "must be an object with at most 50 strings";

/** Body of a request that acquires a browser. Telemetry of a single lease is not emulated. */
export const acquireRequest = z.object(
  {
    acquire_timeout_seconds: wholeNumber(0).optional(),
    name: name.optional(),
    start_url: text.optional(),
    tags: z
      .record(z.string(), text, notTags)
      .refine((tags) => Object.keys(tags).length <= 50, notTags)
      .optional(),
    telemetry: telemetry.nullish(),
  },
  notAJsonObject,
);

/** Body of a request that releases a browser. */
export const releaseRequest = z.object({ session_id: text, reuse: flag.optional() }, notAJsonObject);

type WireChanges = z.output<z.ZodObject<typeof members>>;

function changesOf(wire: WireChanges): SettingChanges {
  const { viewport, telemetry } = wire;
  const categories = Object.entries(telemetry?.browser ?? {}).flatMap(([each, flags]) =>
    flags?.enabled === undefined ? [] : [[each, flags.enabled] as const],
  );
  return {
    fillRatePerMinute: wire.fill_rate_per_minute,
    timeoutSeconds: wire.timeout_seconds,
    stealth: wire.stealth,
    headless: wire.headless,
    kioskMode: wire.kiosk_mode,
    profile: wire.profile,
    refreshOnProfileUpdate: wire.refresh_on_profile_update,
    extensions: wire.extensions,
    proxyId: wire.proxy_id,
    startUrl: wire.start_url,
    chromePolicy: wire.chrome_policy,
    viewport: viewport && {
      width: viewport.width,
      height: viewport.height,
      refreshRate: viewport.refresh_rate,
    },
    telemetry: telemetry && { enabled: telemetry.enabled, browser: Object.fromEntries(categories) },
  };
}
