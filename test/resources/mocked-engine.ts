import * as pulumi from "@pulumi/pulumi";
import type { RegisterResourceRequest, ResourceInvokeRequest } from "@pulumi/pulumi/proto/resource_pb";
import * as plugin from "../../src/bridges/plugin/sdk/index.js";
import * as dynamic from "../../src/index.js";

/** The two entries for a Pulumi program, and the types that their resources have. */
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

/** What a program tells the engine of a resource, as it is sent. */
export type Registered = RegisterResourceRequest.AsObject;

/** Pulumi's mocks, with the requests behind them. */
export class MockedEngine implements pulumi.runtime.Mocks {
  /** What the program declared or looked up, as mocks show it. */
  readonly registered: pulumi.runtime.MockResourceArgs[] = [];
  /** What the program declared, with the options that mocks do not show. */
  readonly requests: Registered[] = [];
  /** Which functions it called, as mocks show it. */
  readonly calls: pulumi.runtime.MockCallArgs[] = [];
  /** Which functions it called, with the options that mocks do not show. */
  readonly invokes: ResourceInvokeRequest.AsObject[] = [];
  readonly #id: string;
  readonly #outputs: Record<string, unknown>;

  private constructor(id: string, outputs: Record<string, unknown>) {
    this.#id = id;
    this.#outputs = outputs;
  }

  /** Puts it in force. It gives every resource this id and these outputs besides its inputs. */
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
