import { z } from "zod";
import { anyId, ifReadable, record, recordId } from "../schema.js";

/** Action of an app: a method that can be invoked. */
export interface AppAction {
  /** Name of the action. */
  readonly name: string;
  /** JSON Schema (draft 07) of the payload, if the service could make a schema. */
  readonly inputSchema: Readonly<Record<string, unknown>> | null;
  /** JSON Schema (draft 07) of the result, if the service could make a schema. */
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
}

/** Version of an app, with the deployment that serves the version. The code declares name and actions. */
export interface AppVersion {
  /** Unique id; treat it as opaque. */
  readonly id: string;
  /** Name of the app, as the code declares it. */
  readonly appName: string;
  /** Label of the version, such as `latest`. */
  readonly version: string;
  /** Id of the deployment that serves the version. */
  readonly deploymentId: string;
  /** Region of the service, such as `aws.us-east-1a`. */
  readonly region: string;
  /** Actions of the app. */
  readonly actions: readonly AppAction[];
}

const actions = z.array(
  record({
    name: z.string(),
    input_schema: ifReadable(z.record(z.string(), z.unknown())),
    output_schema: ifReadable(z.record(z.string(), z.unknown())),
  }),
);

/** Members of an app version that events have, too. @internal */
export const appVersionShape = {
  id: recordId,
  app_name: z.string(),
  version: z.string(),
  region: z.string(),
  actions,
};

/** A version of an app. @internal */
export const appVersionSchema: z.ZodType<AppVersion> = record({
  ...appVersionShape,
  deployment: anyId,
}).transform(({ deployment, ...version }) => ({ ...version, deploymentId: deployment }));
