import { Command } from "commander";
import type { BrowserPool, ListOptions } from "../../client/index.js";
import { counted, durationText } from "../../text/words.js";
import { findBrowserPool } from "../find.js";
import {
  jsonOption,
  limitOption,
  offsetOption,
  projectOption,
  projectSettingsText,
  stackOption,
  withService,
} from "../session.js";
import { confirm, requireTerminal } from "../terminal/confirm.js";
import type { Streams } from "../terminal/streams.js";
import { type Cell, type Column, type Field, namelessCell, unknownCell } from "../terminal/table.js";
import { day, displayText, moment } from "../terminal/text.js";

/** `browser-infra pools`: the browser pools of one project. */
export function poolsCommand(streams: Streams): Command {
  return new Command("pools")
    .description("Show and delete the browser pools of a project.")
    .addHelpText("afterAll", projectSettingsText)
    .addCommand(listCommand(streams))
    .addCommand(getCommand(streams))
    .addCommand(deleteCommand(streams));
}

function listCommand(streams: Streams): Command {
  return new Command("list")
    .description("List the browser pools, with how many of their browsers are ready and leased.")
    .option("--query <text>", "only pools whose name contains this text")
    .option("--name <name>", "only the pool with exactly this name")
    .addOption(limitOption)
    .addOption(offsetOption)
    .addOption(projectOption)
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ inProject, output, signal }, filter: ListOptions) => {
        const { browserPools } = await inProject();
        const pools = await browserPools.list({ ...filter, signal });
        output.printRows(pools, columns, "No browser pools.");
      }),
    );
}

const columns: readonly Column<BrowserPool>[] = [
  { header: "ID", cell: ({ id }) => id },
  { header: "NAME", cell: nameCell, cutWhenNarrow: true },
  { header: "SIZE", cell: ({ size }) => String(size), align: "right" },
  { header: "READY", cell: readyCell, align: "right" },
  { header: "LEASED", cell: ({ acquiredCount }) => String(acquiredCount), align: "right" },
  {
    header: "EXTENSIONS",
    cell: ({ extensionIds }) => String(extensionIds.length),
    align: "right",
    hideWhenNarrow: true,
  },
  { header: "CREATED", cell: ({ createdAt }) => day(createdAt), hideWhenNarrow: true },
];

function getCommand(streams: Streams): Command {
  return new Command("get")
    .description("Show one browser pool and its settings.")
    .argument("<id-or-name>", "its id or exact name")
    .addOption(projectOption)
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async ({ inProject, output, signal }, idOrName: string) => {
        const pool = await findBrowserPool(await inProject(), idOrName, signal);
        output.printFields(pool, fieldsOf(pool));
      }),
    );
}

function deleteCommand(streams: Streams): Command {
  return new Command("delete")
    .description("Delete one browser pool and its browsers, after a confirmation.")
    .argument("<id-or-name>", "its id or exact name")
    .option("--yes", "do not ask for confirmation; required outside a terminal")
    .addOption(projectOption)
    .addOption(stackOption)
    .addOption(jsonOption)
    .action(
      withService(streams, async (session, idOrName: string, { yes }: { readonly yes?: true }) => {
        if (!yes) {
          requireTerminal(streams);
        }
        const { inProject, output, signal } = session;
        const client = await inProject();
        const pool = await findBrowserPool(client, idOrName, signal);
        const subject = `browser pool ${describe(pool)}`;
        if (!yes) {
          await confirm(`Delete ${subject}?`, "Nothing was deleted.", streams, signal);
        }
        // By id, because by now the name could belong to another pool.
        await client.browserPools.delete(pool.id, { signal });
        output.printOutcome(pool, `Deleted ${subject}.\n`);
      }),
    );
}

function describe({ id, name, size }: BrowserPool): string {
  const browsers = counted(size, "browser");
  return name === null
    ? `${displayText(id)} (no name, ${browsers})`
    : `"${displayText(name)}" (id ${displayText(id)}, ${browsers})`;
}

/** All that the service says of a pool. A setting without a value is left to the service. */
function fieldsOf(pool: BrowserPool): readonly Field[] {
  const { viewport, chromePolicy, telemetry, profileId, profileName } = pool;
  const captured = Object.keys(telemetry ?? {}).filter((category) => telemetry?.[category]);
  const settings: readonly (readonly [label: string, value: string | null])[] = [
    ["EXTENSIONS", pool.extensionIds.join(", ") || null],
    ["PROFILE", profileName === null ? profileId : `${profileName} (id ${profileId ?? "unknown"})`],
    ["REFRESH ON PROFILE UPDATE", yesOrNo(pool.refreshOnProfileUpdate)],
    ["PROXY", pool.proxyId],
    ["POLICIES", chromePolicy && Object.keys(chromePolicy).join(", ")],
    ["VIEWPORT", viewport && `${viewport.width}x${viewport.height}${rateText(viewport.refreshRate)}`],
    ["HEADLESS", yesOrNo(pool.headless)],
    ["STEALTH", yesOrNo(pool.stealth)],
    ["KIOSK MODE", yesOrNo(pool.kioskMode)],
    ["START URL", pool.startUrl],
    ["TIMEOUT", pool.timeoutSeconds === null ? null : durationText(pool.timeoutSeconds * 1_000)],
    ["FILL RATE", pool.fillRatePerMinute === null ? null : `${pool.fillRatePerMinute} % in a minute`],
    ["TELEMETRY", telemetry && captured.join(", ")],
  ];
  return [
    ["ID", pool.id],
    ["NAME", nameCell(pool)],
    ["SIZE", counted(pool.size, "browser")],
    ["READY", readyCell(pool)],
    ["LEASED", String(pool.acquiredCount)],
    ...settings.map(([label, value]) => [label, value === null ? notSetCell : value] as const),
    ["CREATED", pool.createdAt === null ? unknownCell : moment(pool.createdAt)],
  ];
}

const notSetCell: Cell = { text: "not set", style: "dim" };

function nameCell({ name }: BrowserPool): Cell {
  return name === null ? namelessCell : { text: name };
}

/** Yellow while nobody could acquire a browser. */
function readyCell({ availableCount }: BrowserPool): Cell {
  return { text: String(availableCount), style: availableCount === 0 ? "yellow" : undefined };
}

function yesOrNo(value: boolean | null): string | null {
  return value === null ? null : value ? "yes" : "no";
}

function rateText(refreshRate: number | null): string {
  return refreshRate === null ? "" : ` at ${refreshRate} Hz`;
}
