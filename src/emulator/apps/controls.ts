import type { z } from "zod";
import { id, noArgument, only, project } from "../http/seed-members.js";
import { exactly, filledText, listOf } from "../http/shapes.js";
import { ObjectControls, type ProjectIds, type Written } from "../objects/controls.js";
import { newId } from "../storage/ids-and-names.js";
import type { EmulatedBuild, EmulatedDeployment } from "./record.js";
import type { DeploymentService } from "./service.js";
import type { DeploymentStore } from "./store.js";

/** Running deployment in a seed. @internal */
export const deploymentEntry = exactly({
  id: id.optional(),
  project,
  appName: filledText.describe("Name of the app."),
  version: filledText.optional().describe("Label of the version. Default: latest."),
  entrypoint: filledText.optional().describe("Path in the archive. Default: index.ts."),
  checksum: filledText.optional().describe("SHA-256 of the archive. Default: 64 zeros."),
  actions: listOf(filledText).optional().describe("Names of the actions. Default: none."),
  envVarNames: listOf(filledText).optional().describe("Names of the variables. Default: none."),
});

type Entry = z.infer<typeof deploymentEntry>;

/** Deployments, without a client. Methods throw `InputError` for an unknown id. */
export class EmulatedDeployments extends ObjectControls<EmulatedDeployment> {
  /** @internal */
  declare protected readonly table: DeploymentStore;
  readonly #service: DeploymentService;

  /** @internal */
  constructor(service: DeploymentService, projects: ProjectIds) {
    super("deployment", service.table, projects);
    this.#service = service;
  }

  /** @internal */
  readonly operations = {
    fail: only("reason", filledText),
    finish: noArgument,
    log: only("line", filledText),
    remove: noArgument,
    stop: only("reason", filledText),
    supersede: noArgument,
  };

  /** Decides the build of the next deployment that has no decided build yet. */
  nextBuild(build: EmulatedBuild): void {
    this.#service.nextBuilds.push(build);
  }

  /** Ends a build in progress with a failure. */
  fail(id: string, reason: string): void {
    this.table.end(this.require(id), this.table.nowMs, reason);
  }

  /** Ends a build in progress, even a build that never ends. The deployment then runs. */
  finish(id: string): void {
    this.table.end(this.require(id), this.table.nowMs);
  }

  /** Adds a line to the log of the running app. */
  log(id: string, line: string): void {
    const { lines } = this.require(id);
    this.table.set(id, { lines: [...lines, { atMs: this.table.nowMs, message: line }] });
  }

  /** Stops a deployment. */
  stop(id: string, reason: string): void {
    this.table.stop(this.require(id), this.table.nowMs, reason);
  }

  /** Creates a deployment like somebody else's, which takes the place of a deployment. */
  supersede(id: string): EmulatedDeployment {
    const old = this.require(id);
    const apps = old.apps.map((app) => ({ ...app, id: newId() }));
    const made = this.table.insert({ ...old, id: newId(), apps, checksum: "1".repeat(64), force: true });
    return this.#running(this.stored(made, undefined));
  }

  /** @internal */
  override existing({ id, appName, version = "latest" }: Entry, projectId: string) {
    return id === undefined
      ? this.table
          .versions(projectId)
          .find(({ deployment, app }) => app.name === appName && deployment.version === version)?.deployment
      : this.table.find(id);
  }

  /** @internal */
  createFrom(entry: Entry, projectId: string): EmulatedDeployment {
    const { id, appName, version = "latest", entrypoint = "index.ts", checksum = "0".repeat(64) } = entry;
    const { actions = [], envVarNames = [] } = entry;
    const apps = [{ id: newId(), name: appName, actions }];
    const given = { projectId, entrypoint, version, envVarNames, checksum, apps };
    const { stepMs } = this.#service;
    const made = this.table.insert({ ...given, ...(id && { id }), force: true, build: {}, stepMs });
    return this.#running(this.stored(made, undefined));
  }

  /** @internal */
  written(deployment: EmulatedDeployment): Written<Entry> | undefined {
    const { id, version, entrypoint, checksum, apps, envVarNames, status } = deployment;
    const [app] = apps;
    return app && status === "running"
      ? { id, appName: app.name, version, entrypoint, checksum, actions: app.actions, envVarNames }
      : undefined;
  }

  #running({ id }: EmulatedDeployment): EmulatedDeployment {
    this.finish(id);
    return this.require(id);
  }
}
