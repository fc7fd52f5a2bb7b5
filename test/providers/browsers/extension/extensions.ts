import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packExtension } from "../../../../src/archive/index.js";
import { BrowserInfraClient } from "../../../../src/client/index.js";
import type { Properties } from "../../../bridges/wire-messages.js";
import { newEmulator } from "../../../support/emulator.js";
import { PlayedProgram } from "../../played-program.js";

/** Folder of the extension, as declared in programs. */
export const path = "./extension";

/** Program with an extension made from a folder. */
export class ExtensionProgram extends PlayedProgram {
  static override async start(): Promise<ExtensionProgram> {
    const program = new ExtensionProgram(await newEmulator(), "Extension");
    program.writeVersion("1.0.0");
    return program;
  }

  /** Writes a file of the folder. */
  write(file: string, contents = "x"): void {
    const place = join(this.folder, "extension", file);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, contents);
  }

  /** Gives the folder new content. */
  writeVersion(version: string): void {
    this.write("manifest.json", `{ "manifest_version": 3, "name": "Reader", "version": "${version}" }`);
  }

  override up(news: Properties | undefined, options?: Parameters<PlayedProgram["up"]>[1]): Promise<string> {
    return super.up(news && { path, ...news }, options);
  }

  override preview(news: Properties, options?: Parameters<PlayedProgram["up"]>[1]) {
    return super.preview({ path, ...news }, options);
  }

  /** Inputs after the check of a deployment. */
  async checked(news: Properties = {}): Promise<Properties> {
    this.declare({ path, ...news });
    const [, checked] = await this.engine.checks("agents");
    expect(checked?.failures).toEqual([]);
    return checked?.inputs ?? {};
  }

  /** Ids of the extensions of a project. */
  live(projectId?: string): string[] {
    return this.emulator.extensions.list(projectId).map(({ id }) => id);
  }

  uploads(): number {
    return this.writes.filter((method) => method === "POST").length;
  }

  async #withClient<R>(work: (client: BrowserInfraClient) => Promise<R>): Promise<R> {
    const [apiKey = ""] = this.emulator.apiKeys;
    const client = new BrowserInfraClient({ baseUrl: this.emulator.url, apiKey });
    return work(client).finally(() => client.close());
  }

  download(name: string): Promise<Uint8Array> {
    return this.#withClient((client) => client.extensions.download(name));
  }

  /** Uploads the present contents of the folder as a different program. */
  async uploadTheirs(name?: string, projectId?: string) {
    const { bytes } = await packExtension(join(this.folder, "extension"));
    return this.#withClient((client) =>
      client.inProject(projectId).extensions.upload({ name, archive: bytes }),
    );
  }
}
