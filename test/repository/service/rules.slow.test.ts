import * as fc from "fast-check";
import { send } from "../../emulator/calls.js";
import { shareEmulator } from "../../support/emulator.js";
import { type Disagreement, explains, wanted } from "./disagreements.js";
import { publicSuffixes } from "./public-suffixes.js";
import { type Rules, rules } from "./rules.js";

/** Seed and number of the random values of a setting. The values are the same in every run. */
const random = { seed: 57, numRuns: 80 };

// No random pool is refused because of a limit.
const emulator = shareEmulator({
  seed: { organization: { maxConcurrentSessions: Number.MAX_SAFE_INTEGER } },
});

/** Problem of a request according to the emulator; undefined for any status but 400. */
async function emulatorProblem({ path, body }: Rules, settings: object): Promise<string | undefined> {
  const answer = await send(emulator, "POST", path, body({ ...settings }));
  const { message } = (await answer.json()) as { readonly message?: string };
  return answer.status === 400 ? String(message) : undefined;
}

/** Problem according to the client. */
function clientProblem({ problems }: Rules, settings: object): string | undefined {
  const [first] = problems({ ...settings });
  return first && `${first.property} ${first.problem}`;
}

/** Settings of which one is random, by noun and setting. */
const inputs = Object.entries(rules).flatMap(([noun, each]) =>
  Object.entries(each.random).map(([setting, values]) => {
    const [outer = "", inner] = setting.split(".");
    const given = fc.sample(values, random).map((value) => ({
      ...each.valid,
      [outer]: inner === undefined ? value : { ...Object(each.valid[outer]), [inner]: value },
    }));
    const different = new Map(given.map((settings) => [JSON.stringify(settings), settings]));
    return { rule: `${noun}: ${setting}`, rules: each, all: [...different.values()] };
  }),
);

let disagreements: readonly (Disagreement & { readonly settings: string })[] = [];

beforeAll(async () => {
  const compared: {
    rule: string;
    settings: string;
    client: string | undefined;
    theirs: string | undefined;
  }[] = [];
  for (const { rule, rules: of, all } of inputs) {
    const rows = all.map(async (settings) => ({
      ...{ rule, settings: JSON.stringify(settings).slice(0, 150) },
      client: clientProblem(of, settings),
      theirs: await emulatorProblem(of, settings),
    }));
    compared.push(...(await Promise.all(rows)));
  }
  disagreements = compared
    .filter(({ client, theirs }) => (client === undefined) !== (theirs === undefined))
    .map(({ rule, client, theirs, settings }) => ({
      ...{ rule, settings, problem: client ?? theirs ?? "" },
      refusedBy: client === undefined ? "emulator" : "client",
    }));
});

describe("the rules of client and emulator", () => {
  test("both accept the settings of which the tests change one", async () => {
    const refused = Object.values(rules).map(async (each) => [
      clientProblem(each, each.valid),
      await emulatorProblem(each, each.valid),
    ]);
    expect((await Promise.all(refused)).flat().filter((problem) => problem !== undefined)).toEqual([]);
  });

  test("both refuse an asterisk for each of the published public suffixes, and for none of their domains", async () => {
    const pool = rules["browser pool"] as Rules;
    const settings = publicSuffixes
      .flatMap((suffix) => [`*.${suffix}`, `*.shop.${suffix}`])
      .map((host) => ({ ...pool.valid, network: { allowedHosts: [host] } }));
    const client = settings.filter((each) => clientProblem(pool, each) === undefined);
    const theirs = await Promise.all(settings.map((each) => emulatorProblem(pool, each)));
    const accepted = settings.filter((_, at) => at % 2 === 1);
    expect(client).toEqual(accepted);
    expect(settings.filter((_, at) => theirs[at] === undefined)).toEqual(accepted);
  });

  test("agree about random settings, but for the listed disagreements", () => {
    expect(disagreements.filter((each) => !wanted.some((entry) => explains(entry, each)))).toEqual([]);
  });

  test("still disagree about everything that is listed", () => {
    expect(wanted.filter((entry) => !disagreements.some((each) => explains(entry, each)))).toEqual([]);
  });
});
