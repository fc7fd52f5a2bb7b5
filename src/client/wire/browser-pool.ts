import { z } from "zod";
import type { BrowserPool } from "../records/browser-pool.js";
import { dateTime, ifReadable, inOurNames, orNull, record, recordId } from "./answer.js";

const switchedOn = orNull(z.boolean());
const pixels = z.int().positive();
const reference = z.object({ id: orNull(z.string()), name: orNull(z.string()) });

/** The settings of a browser pool. Only `size` is certain. */
const browserPoolConfig = z.object({
  size: z.int().nonnegative(),
  extensions: orNull(z.array(z.object({ id: orNull(recordId.or(z.literal(""))) }))),
  profile: orNull(reference),
  proxy_id: orNull(z.string()),
  chrome_policy: orNull(z.record(z.string(), z.unknown())),
  viewport: orNull(record({ width: pixels, height: pixels, refresh_rate: orNull(pixels) })),
  headless: switchedOn,
  stealth: switchedOn,
  kiosk_mode: switchedOn,
  start_url: orNull(z.string()),
  timeout_seconds: orNull(z.int()),
  fill_rate_per_minute: orNull(z.int()),
  refresh_on_profile_update: switchedOn,
  telemetry: orNull(
    z.object({ browser: orNull(z.record(z.string(), z.object({ enabled: switchedOn }).nullable())) }),
  ),
});

/**
 * A browser pool. Everything that a caller may compare with what it wants is strict. An empty
 * string is how the service clears a setting, so that it is read as no value, and so is a policy
 * without a member.
 */
export const browserPoolSchema: z.ZodType<BrowserPool> = z
  .object({
    id: recordId,
    name: orNull(z.string()),
    available_count: z.int().nonnegative(),
    acquired_count: z.int().nonnegative(),
    extension_ids: orNull(z.array(recordId)),
    profile_id: orNull(z.string()),
    created_at: ifReadable(dateTime),
    browser_pool_config: browserPoolConfig,
  })
  .transform(({ browser_pool_config: config, ...pool }) => {
    const { extensions, profile, chrome_policy, telemetry, ...others } = config;
    return {
      ...inOurNames({ ...others, ...pool }),
      extensionIds: pool.extension_ids ?? (extensions ?? []).flatMap(({ id }) => id || []),
      name: pool.name || null,
      profileId: pool.profile_id || profile?.id || null,
      profileName: profile?.name || null,
      proxyId: others.proxy_id || null,
      startUrl: others.start_url || null,
      chromePolicy: Object.keys(chrome_policy ?? {}).length > 0 ? chrome_policy : null,
      telemetry: telemetry && categoriesOf(telemetry.browser ?? {}),
    };
  });

/** Which categories are captured: `{page: {enabled: true}}` becomes `{page: true}`. */
function categoriesOf(wire: Readonly<Record<string, { enabled: boolean | null } | null>>) {
  const told = Object.entries(wire).flatMap(([name, category]) =>
    category?.enabled === null || category === null ? [] : [[name, category.enabled] as const],
  );
  return Object.fromEntries(told);
}
