import { newId } from "../storage/ids-and-names.js";
import { ProjectTable } from "../storage/table.js";
import { dueMs, type EmulatedApp, type EmulatedDeployment, eventsOf, shownStatus } from "./record.js";

type Given = Pick<
  EmulatedDeployment,
  "projectId" | "entrypoint" | "version" | "force" | "envVarNames" | "checksum" | "apps" | "build" | "stepMs"
>;

/** Deployments in the database. Builds are brought up to date before every read. @internal */
export class DeploymentStore extends ProjectTable<EmulatedDeployment> {
  #isSettling = false;

  /** Stores a deployment with a build that begins now. Undefined if the id exists. */
  insert(given: Given & { readonly id?: string | undefined }): EmulatedDeployment | undefined {
    const now = this.now();
    const times = { startedMs: now.getTime(), builtMs: null, stoppedMs: null, createdAt: now.toISOString() };
    return this.add({
      ...given,
      ...times,
      id: given.id ?? newId(),
      status: "queued",
      statusReason: null,
      lines: [],
    });
  }

  override find(id: string): EmulatedDeployment | undefined {
    this.#settle();
    return super.find(id);
  }

  override select(condition?: (item: EmulatedDeployment) => boolean): readonly EmulatedDeployment[] {
    this.#settle();
    return super.select(condition);
  }

  get nowMs(): number {
    return this.now().getTime();
  }

  events(deployment: EmulatedDeployment) {
    return eventsOf(deployment, this.nowMs);
  }

  status(deployment: EmulatedDeployment) {
    return shownStatus(deployment, this.nowMs);
  }

  /** Versions of apps that running deployments of a project serve, newest first. */
  versions(
    projectId: string,
  ): readonly { readonly deployment: EmulatedDeployment; readonly app: EmulatedApp }[] {
    return this.all(projectId)
      .filter(({ status }) => status === "running")
      .flatMap((deployment) => deployment.apps.map((app) => ({ deployment, app })));
  }

  /** Names of the apps, which are known only after the build. */
  appNames({ builtMs, apps }: EmulatedDeployment): readonly string[] {
    return builtMs === null ? [] : apps.map(({ name }) => name);
  }

  protected override searched(deployment: EmulatedDeployment): readonly string[] {
    return this.appNames(deployment);
  }

  /** Ends a build, at a time. Without a reason, the deployment runs and takes the place of others. */
  end(deployment: EmulatedDeployment, builtMs: number, reason?: string): void {
    const { id, projectId, version, apps, force } = deployment;
    const names = apps.map(({ name }) => name);
    const others = super.select(
      (each) =>
        each.projectId === projectId &&
        each.id !== id &&
        each.status === "running" &&
        each.version === version &&
        each.apps.some(({ name }) => names.includes(name)),
    );
    // A guess: the name is only known after the build, so the build fails.
    const taken = `version ${version} of app ${names.join(", ")} exists; use force to overwrite it`;
    const statusReason = reason ?? (others.length > 0 && !force ? taken : null);
    this.set(id, { status: statusReason === null ? "running" : "failed", statusReason, builtMs });
    for (const other of statusReason === null ? others : []) {
      this.stop(other, builtMs, `superseded by deployment ${id}`);
    }
  }

  stop({ id }: EmulatedDeployment, stoppedMs: number, statusReason: string): void {
    this.set(id, { status: "stopped", statusReason, stoppedMs });
  }

  /** Ends the builds whose time is over, in the order of the ends. */
  #settle(): void {
    if (this.#isSettling) {
      return;
    }
    this.#isSettling = true;
    try {
      const due = (each: EmulatedDeployment) => dueMs(each) ?? Number.POSITIVE_INFINITY;
      const ended = super.select((each) => each.status === "queued" && due(each) <= this.nowMs);
      for (const each of ended.toSorted((a, b) => due(a) - due(b))) {
        this.end(each, due(each), each.build.fail);
      }
    } finally {
      this.#isSettling = false;
    }
  }
}
