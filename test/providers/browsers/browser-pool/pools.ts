import { newEmulator } from "../../../support/emulator.js";
import { PlayedProgram } from "../../played-program.js";

/** A program with a browser pool, in the project of the settings. */
export class PoolProgram extends PlayedProgram {
  /** Starts with a separate emulator. `speed`: factor compared to the service. */
  static async ofSpeed(speed = 1): Promise<PoolProgram> {
    return new PoolProgram(await newEmulator({ speed }), "BrowserPool");
  }

  pools(projectId?: string) {
    return this.emulator.browserPools.list(projectId);
  }

  /** Id of the only pool of a project. Expects exactly one. */
  only(projectId?: string): string {
    const all = this.pools(projectId);
    expect(all).toHaveLength(1);
    return String(all[0]?.id);
  }

  /** Leases a browser of the pool. Returns the session id. */
  lease(id = this.stored.id): string {
    this.emulator.browserPools.fill(id);
    return this.emulator.browserPools.acquire(id).sessionId;
  }
}
