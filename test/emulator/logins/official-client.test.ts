import Kernel from "@onkernel/sdk";
import { BrowserInfraClient } from "../../../src/client/index.js";
import { builtInScenarioNames } from "../../../src/emulator/index.js";
import { shareEmulator } from "../../support/emulator.js";
import { type Brief, brief, plays, type State } from "./plays.js";

/**
 * Members that the service sends beyond the published interface: the official client returns the
 * members, ours does not.
 */
const unpublished: ReadonlySet<string> = new Set(["interaction_id"]);

/**
 * State in names that both clients share: published members in camel case, without null and empty
 * lists.
 */
function inOneForm(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(inOneForm);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const isEmpty = (member: unknown) => member == null || (Array.isArray(member) && member.length === 0);
  const told = Object.entries(value).filter(([name, member]) => !isEmpty(member) && !unpublished.has(name));
  return Object.fromEntries(
    told.map(([name, member]) => [
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      inOneForm(member),
    ]),
  );
}

describe("emulator: logins followed by both clients", () => {
  const emulator = shareEmulator({ speed: 100, now: () => new Date(stillMs ?? Date.now()) });
  let kernel: Kernel;
  let client: BrowserInfraClient;
  /** The clock stands still here, so that a login does not continue before both clients follow. */
  let stillMs: number | undefined;
  beforeAll(() => {
    const [apiKey = ""] = emulator.apiKeys;
    kernel = new Kernel({ apiKey, baseURL: emulator.url, maxRetries: 0 });
    client = new BrowserInfraClient({ apiKey, baseUrl: emulator.url });
  });
  afterAll(() => client.close());

  test("every built-in login scenario has a comparison of the official client and ours", () => {
    expect(Object.keys(plays).sort()).toEqual([...builtInScenarioNames].sort());
  });

  test.each(Object.entries(plays))(
    "in the login scenario %s, the official client and ours get equal states",
    async (scenario, play) => {
      stillMs = Date.now();
      const { id } = emulator.authConnections.create({
        domain: "example.com",
        profileName: scenario,
        scenario,
      });
      const { hosted_url } = await kernel.auth.connections.login(id);
      const answers = [...play.answers];
      let following = 0;
      const follows = () => {
        following += 1;
        if (following < 2) {
          return;
        }
        stillMs = undefined;
        emulator.clock.advance(0);
      };

      const byOfficialClient = async () => {
        const states: State[] = [];
        for await (const event of await kernel.auth.connections.follow(id)) {
          if (event.event !== "managed_auth_state") {
            continue;
          }
          if (states.push(event as State) === 1) {
            follows();
          }
          if (event.flow_status !== "IN_PROGRESS" || !event.flow_step.startsWith("AWAITING")) {
            continue;
          }
          const answer = answers.shift();
          if (answer !== "wait") {
            await kernel.auth.connections.submit(id, answer ?? {});
          }
        }
        return states;
      };
      const byOurs = async () => {
        const states: object[] = [];
        for await (const { origin, ...state } of statesOf(id)) {
          // The connection's record would hide gaps of the stream.
          expect(origin).toBe("stream");
          if (states.push(state) === 1) {
            follows();
          }
        }
        return states;
      };
      const [theirs, ours] = await Promise.all([byOfficialClient(), byOurs()]);

      expect(theirs.map(brief)).toEqual(play.states);
      expect(theirs.map((state) => state.hosted_url)).toEqual([
        ...theirs.slice(1).map(() => hosted_url),
        undefined,
      ]);
      const [status, step] = play.states.at(-1) as Brief;
      expect(theirs.at(-1)).toMatchObject(play.end);
      expect(await kernel.auth.connections.retrieve(id)).toMatchObject({
        flow_status: status,
        flow_step: step,
        flow_expires_at: null,
        hosted_url: null,
        fields: null,
        status: status === "SUCCESS" ? "AUTHENTICATED" : "NEEDS_AUTH",
        ...play.end,
      });
      expect(answers).toEqual([]);
      expect(ours.map(inOneForm)).toEqual(theirs.map(inOneForm));
    },
  );

  /** States that our client returns. */
  async function* statesOf(id: string) {
    for await (const event of client.authConnections.follow(id)) {
      if (event.event === "managed_auth_state") {
        yield event;
      }
    }
  }
});
