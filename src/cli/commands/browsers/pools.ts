import type { BrowserPool, BrowserProxyRoute } from "../../../client/index.js";
import { listings } from "../../../providers/reads/listings.js";
import { counted, durationText } from "../../../text/words.js";
import { type Fact, type Noun, nameFact, timeFact } from "../../noun.js";
import { type CellContent, dim, yesOrNo } from "../../terminal/table.js";

/** `browser-infra pools`: the browser pools of a project. */
export const pools: Noun<BrowserPool> = {
  group: "pools",
  noun: "browser pool",
  listing: listings.BrowserPool,
  help: "Show and delete the browser pools of a project.",
  facts: [
    nameFact,
    {
      header: "SIZE",
      cell: ({ size }) => String(size),
      full: ({ size }) => counted(size, "browser"),
      align: "right",
    },
    { header: "READY", cell: readyCell, align: "right" },
    { header: "LEASED", cell: ({ acquiredCount }) => String(acquiredCount), align: "right" },
    {
      ...setting("EXTENSIONS", ({ extensionIds }) => extensionIds.join(", ") || null),
      cell: ({ extensionIds }) => String(extensionIds.length),
      align: "right",
      hideWhenNarrow: true,
      onlyInGet: false,
    },
    setting("REGION", ({ region }) => region),
    setting("MEMORY", ({ memory }) => memory),
    setting("ALLOWED HOSTS", ({ network }) => network?.allowedHosts?.join(", ") ?? null),
    setting("PRIVATE HOSTS", ({ network }) => network?.privateHosts?.join(", ") ?? null),
    setting("PROXY ROUTES", ({ network }) => network?.proxyRoutes?.map(routeText).join("; ") ?? null),
    setting("PROFILE", ({ profileId, profileName }) =>
      profileName === null ? profileId : `${profileName} (id ${profileId ?? "unknown"})`,
    ),
    setting("REFRESH ON PROFILE UPDATE", ({ refreshOnProfileUpdate }) => yesOrNo(refreshOnProfileUpdate)),
    setting("PROXY", ({ proxyId }) => proxyId),
    setting("POLICIES", ({ chromePolicy }) => chromePolicy && Object.keys(chromePolicy).join(", ")),
    setting("VIEWPORT", ({ viewport }) => viewport && viewportText(viewport)),
    setting("HEADLESS", ({ headless }) => yesOrNo(headless)),
    setting("STEALTH", ({ stealth }) => yesOrNo(stealth)),
    setting("KIOSK MODE", ({ kioskMode }) => yesOrNo(kioskMode)),
    setting("START URL", ({ startUrl }) => startUrl),
    setting("TIMEOUT", ({ timeoutSeconds: time }) => (time === null ? null : durationText(time * 1_000))),
    setting("FILL RATE", ({ fillRatePerMinute: rate }) => (rate === null ? null : `${rate} % in a minute`)),
    setting("TELEMETRY", ({ telemetry }) => telemetry && capturedText(telemetry)),
    setting("TELEMETRY EXPORT", ({ telemetryDestinationId }) => telemetryDestinationId),
    setting("TELEMETRY STORED", ({ telemetryStorage }) => yesOrNo(telemetryStorage)),
    setting("EXCLUDED METHODS", (pool) => pool.telemetryExcludedMethods.join(", ") || null),
    timeFact("CREATED", ({ createdAt }) => createdAt),
  ],
  list: {
    help: "List the browser pools, with the numbers of ready and leased browsers.",
  },
  get: { help: "Show one browser pool and its settings." },
  delete: { help: "Delete one browser pool and its browsers, after a confirmation." },
  details: ({ size }) => [counted(size, "browser")],
};

/** Setting, shown only by `get`. Without a value, the service decides. */
function setting(header: string, textOf: (pool: BrowserPool) => string | null): Fact<BrowserPool> {
  const full = (pool: BrowserPool): CellContent => textOf(pool) ?? dim("not set");
  return { header, cell: full, full, onlyInGet: true };
}

/** Number of ready browsers; yellow while no browser can be acquired. */
function readyCell({ availableCount }: BrowserPool): CellContent {
  return { text: String(availableCount), style: availableCount === 0 ? "yellow" : undefined };
}

function viewportText({ width, height, refreshRate }: NonNullable<BrowserPool["viewport"]>): string {
  return `${width}x${height}${refreshRate === null ? "" : ` at ${refreshRate} Hz`}`;
}

function routeText({ hosts, proxyId }: BrowserProxyRoute): string {
  return `${hosts.join(", ")} through ${proxyId}`;
}

function capturedText(telemetry: NonNullable<BrowserPool["telemetry"]>): string {
  const captured = Object.entries(telemetry).filter(([, isCaptured]) => isCaptured);
  return captured.map(([category]) => category).join(", ");
}
