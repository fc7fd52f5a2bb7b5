import { isBuilt } from "../../../client/apps/follow.js";
import type { Deployment } from "../../../client/index.js";
import { BuildError, CanceledError } from "../../../errors.js";
import { durationMs } from "../../../text/duration.js";
import { shorten } from "../../../text/escape.js";
import { messageOf } from "../../../text/words.js";
import type { Call } from "../../call.js";
import { progressEveryMs } from "../../messages/shipping.js";
import { deploymentsOf } from "../../reads/lists.js";
import { type DeploymentInputs, timeoutDefault } from "./properties.js";

/** Lines of the log in an error. */
const tailLines = 30;

/** Follows a build until the end, shows the log on the row, and returns the deployment with the last lines. */
export async function followBuild(
  deployment: Deployment,
  { projectId, timeout }: DeploymentInputs,
  call: Call,
): Promise<{ readonly ended: Deployment; readonly tail: readonly string[] }> {
  const { signal, report, timeLimit } = call.context;
  const tail: string[] = [];
  let ended = deployment;
  let reportedAt = performance.now();
  if (isBuilt(deployment)) {
    return { ended, tail };
  }
  report.progress("building");
  const timeoutMs = durationMs(timeout ?? timeLimit ?? timeoutDefault);
  for await (const event of deploymentsOf(projectId, call).follow(deployment.id, { timeoutMs, signal })) {
    if (event.event === "log") {
      const lines = event.message.split("\n").filter((line) => line.trim() !== "");
      tail.push(...lines.map((line) => shorten(line, 500)));
      tail.splice(0, tail.length - tailLines);
      if (performance.now() - reportedAt >= progressEveryMs) {
        reportedAt = performance.now();
        report.progress(tail.at(-1) ?? "building");
      }
    } else if (event.event === "deployment_state") {
      ended = event.deployment;
    }
  }
  return { ended, tail };
}

/** Error of a build that has failed or was stopped, with the reason of the service and the end of the log. */
export function buildFailure({ id, status, statusReason }: Deployment, tail: readonly string[]): BuildError {
  const what = `The build of app deployment ${id} ${status === "failed" ? "failed" : "was stopped"}: ${(statusReason ?? "the service gives no reason").replace(/\.$/, "")}.`;
  const log =
    tail.length === 0 ? "" : ` End of the log: ${tail.map((line) => JSON.stringify(line)).join(" ")}.`;
  const remedy = `Fix the cause, and run "pulumi up" again: it replaces the deployment. For the whole log, run "npx browser-infra apps logs ${id}".`;
  return new BuildError("build_failed", `${what}${log} ${remedy}`);
}

/** Message for a wait that ended before the build. */
export function unfinishedText(id: string, error: unknown): string {
  const why = error instanceof CanceledError ? "The wait was interrupted." : messageOf(error);
  return `App deployment ${id} exists, and its build may go on. ${why} Run "pulumi up" again: it waits for the same build.`;
}
