import { newEmulator } from "../../support/emulator.js";
import { PlayedProgram } from "../played-program.js";

/** Program with the limits of a project. Initial limits: 3 sessions and 4 invocations. */
export class LimitsProgram extends PlayedProgram {
  readonly projectId = this.emulator.createProject({
    name: "web",
    limits: { maxConcurrentSessions: 3, maxConcurrentInvocations: 4 },
  }).id;

  static override async start(): Promise<LimitsProgram> {
    return new LimitsProgram(await newEmulator(), "ProjectLimits");
  }

  /** `pulumi up` with these limits of the project. */
  set(limits: object): Promise<string> {
    return this.up({ projectId: this.projectId, ...limits });
  }

  /** Sets limits of the project like a different program. */
  setOutside(limits: Parameters<PlayedProgram["emulator"]["projects"]["setLimits"]>[1]): void {
    this.emulator.projects.setLimits(this.projectId, limits);
  }

  /** The project's limits on sessions and on invocations. */
  limits(): (number | null | undefined)[] {
    const found = this.emulator.projects.list().find(({ id }) => id === this.projectId)?.limits;
    return [found?.maxConcurrentSessions, found?.maxConcurrentInvocations];
  }
}
