import * as pulumi from "@pulumi/pulumi";
import type { RegisterResourceRequest, ResourceInvokeRequest } from "@pulumi/pulumi/proto/resource_pb";
import * as plugin from "../../../src/bridges/plugin/sdk/index.js";
import * as dynamic from "../../../src/index.js";

/** The two entries for a Pulumi program, with the types of the resources. */
export const entries = [
  {
    entry: "pulumi-browser-infra",
    classes: dynamic,
    typeOf: (kind: string) => `pulumi-nodejs:dynamic/browser-infra:${kind}`,
  },
  {
    entry: "pulumi-browser-infra/plugin",
    classes: plugin,
    typeOf: (kind: string) => `browser-infra:index:${kind}`,
  },
];

/** Registration of a resource, as sent to the engine. */
export type Registered = RegisterResourceRequest.AsObject;

/** Pulumi's mocks, with the underlying requests. */
export class MockedEngine implements pulumi.runtime.Mocks {
  /** Declared and looked up resources, as mocks show them. */
  readonly registered: pulumi.runtime.MockResourceArgs[] = [];
  /** Declared resources, with the options that mocks do not show. */
  readonly requests: Registered[] = [];
  /** Function calls, as mocks show them. */
  readonly calls: pulumi.runtime.MockCallArgs[] = [];
  /** Function calls, with the options that mocks do not show. */
  readonly invokes: ResourceInvokeRequest.AsObject[] = [];
  readonly #id: string;
  readonly #outputs: Record<string, unknown>;

  private constructor(id: string, outputs: Record<string, unknown>) {
    this.#id = id;
    this.#outputs = outputs;
  }

  /** Installs the mocks. Every resource gets this id, and these outputs besides the inputs. */
  static async start(id: string, outputs: Record<string, unknown> = {}): Promise<MockedEngine> {
    const engine = new MockedEngine(id, outputs);
    await pulumi.runtime.setMocks(engine, "shop", "dev");
    const monitor = pulumi.runtime.getMonitor() as unknown as {
      registerResource(request: RegisterResourceRequest, answered: () => void): Promise<void>;
      invoke(request: ResourceInvokeRequest, answered: () => void): Promise<void>;
    };
    const register = monitor.registerResource.bind(monitor);
    const invoke = monitor.invoke.bind(monitor);
    monitor.registerResource = (request, answered) => {
      engine.requests.push(request.toObject());
      return register(request, answered);
    };
    monitor.invoke = (request, answered) => {
      engine.invokes.push(request.toObject());
      return invoke(request, answered);
    };
    return engine;
  }

  newResource(args: pulumi.runtime.MockResourceArgs): pulumi.runtime.MockResourceResult {
    this.registered.push(args);
    return { id: args.id || this.#id, state: { ...args.inputs, ...this.#outputs } };
  }

  call(args: pulumi.runtime.MockCallArgs): pulumi.runtime.MockCallResult {
    this.calls.push(args);
    return { id: "found", name: args.inputs.name };
  }
}

/** The value of an Output. */
export function awaited<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply(resolve);
  });
}
