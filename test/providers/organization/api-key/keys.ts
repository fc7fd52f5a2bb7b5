import { newEmulator } from "../../../support/emulator.js";
import { PlayedProgram } from "../../played-program.js";

/** Length of a day, in milliseconds. */
export const dayMs = 86_400_000;

/** Program with an API key, and the records of such keys in the service. */
export class KeyProgram extends PlayedProgram {
  static override async start(): Promise<KeyProgram> {
    return new KeyProgram(await newEmulator(), "ApiKey");
  }

  /** Id of the present key, which a rotation changes. */
  get keyId(): string {
    return String(this.stored.outputs.keyId);
  }

  records() {
    return this.emulator.apiKeyRecords.list();
  }

  /** Ids of the live keys with a name or with the initial one-time name. */
  live(name = "agents"): string[] {
    return this.records()
      .filter((key) => key.deletedAt === null && key.name.replace(/-[0-9a-f]{16}$/, "") === name)
      .map(({ id }) => id)
      .sort();
  }

  /** Messages with the command that deletes a key. */
  warningsAbout(id: unknown): string[] {
    return this.messages.filter((text) => text.includes(`"browser-infra api-keys delete ${id}"`));
  }

  /** Status of a request with a key, by default the key of the state. */
  async statusWith(key: unknown = this.stored.outputs.key): Promise<number> {
    const headers = { authorization: `Bearer ${String(key)}` };
    return (await fetch(`${this.emulator.url}/org/api_keys`, { headers })).status;
  }

  /** Paths of the POST requests until now. */
  posts(): string[] {
    return this.emulator.requests.filter(({ method }) => method === "POST").map(({ path }) => path);
  }

  /** The next writes are carried out, and their responses are lost. */
  loseAnswers(method: string, path = "/org/api_keys", times = 1) {
    return this.emulator.faults.add({ method, path, at: "after-commit", times, action: "reset" });
  }

  /** Besides the previous keys, only the key of the state is live, and the secret works. */
  async expectOnly(): Promise<void> {
    const previous = this.stored.outputs.previousKeys as { id: string }[];
    expect(this.live()).toEqual([...previous.map(({ id }) => id), this.keyId].sort());
    expect(await this.statusWith()).toBe(200);
  }

  /** An unchanged program changes nothing, and causes no message. */
  async expectSettled(inputs: Readonly<Record<string, unknown>>): Promise<void> {
    expect(await this.up({ ...inputs })).toBe("same");
    expect(this.messages).toEqual([]);
  }
}
