/**
 * Components of the plugin: runs the class of the TypeScript entry against the engine's monitor, as
 * Pulumi's own provider server does for Construct. Source: @pulumi/pulumi, provider/server.js.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb.js";
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import * as providerServer from "@pulumi/pulumi/provider/server.js";
import { setAllConfig } from "@pulumi/pulumi/runtime/config.js";
import * as runtimeResource from "@pulumi/pulumi/runtime/resource.js";
import { deserializeProperty, serializeResourceProperties } from "@pulumi/pulumi/runtime/rpc.js";
import * as settings from "@pulumi/pulumi/runtime/settings.js";
import * as state from "@pulumi/pulumi/runtime/state.js";
import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { InputError } from "../../errors.js";
import {
  type BrowserEnvironmentArgs,
  environmentKinds,
  environmentType,
} from "../../resources/browser-environment.js";
import { kinds, programInputsOf, type ResourceKind } from "../kinds.js";
import { BrowserEnvironment } from "./sdk/browser-environment.js";

/** Parts of Pulumi's SDK that its types leave out. */
const { awaitFeatureSupport, waitForRPCs, deserializeInputs, withLocalStorage, hookBindingFromProto } = {
  ...settings,
  ...providerServer,
  ...state,
  ...runtimeResource,
} as unknown as {
  awaitFeatureSupport(): Promise<void>;
  waitForRPCs(): Promise<void>;
  deserializeInputs(inputs: Struct | undefined, dependencies: object): Promise<pulumi.Inputs>;
  withLocalStorage<R>(work: () => R): R;
  hookBindingFromProto(hooks: object | undefined): pulumi.ComponentResourceOptions["hooks"];
};

/** Run of the engine that constructs. */
export interface Constructing {
  readonly engineAddress: string;
  /** Reference to the provider of the children, `<urn>::<id>`. Empty: the default provider. */
  readonly provider: string;
}

/** Failing of a component under way, for errors that Pulumi's SDK throws outside of any call. */
const running = new Set<(error: unknown) => void>();

process.on("unhandledRejection", (error) => {
  if (running.size === 0) {
    throw error;
  }
  for (const fail of running) {
    fail(error);
  }
});

/**
 * Declares the children of a component and answers the outputs. Throws `InputError` for a type that
 * is no component, and for invalid arguments; rejects as soon as the engine refuses a child.
 */
export async function construct(request: ConstructRequest, run: Constructing): Promise<ConstructResponse> {
  if (request.getType() !== environmentType) {
    const message = `This version of the provider has no component "${request.getType()}". Its component is ${environmentType}.`;
    throw new InputError("type_unknown", "type", message);
  }
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  running.add(fail);
  try {
    // Each component has its own connections and settings of the SDK.
    return await withLocalStorage(() => Promise.race([declareComponent(request, run), failed]));
  } finally {
    running.delete(fail);
  }
}

async function declareComponent(request: ConstructRequest, run: Constructing): Promise<ConstructResponse> {
  settings.resetOptions(
    request.getProject(),
    request.getStack(),
    request.getParallel(),
    run.engineAddress,
    request.getMonitorendpoint(),
    request.getDryrun(),
    request.getOrganization(),
  );
  await awaitFeatureSupport();
  setAllConfig(Object.fromEntries(request.getConfigMap().entries()), request.getConfigsecretkeysList());
  const inputs = await deserializeInputs(request.getInputs(), request.getInputdependenciesMap());
  const component = new BrowserEnvironment(
    request.getName(),
    await withMembers(inputs),
    optionsOf(request, run.provider),
  );
  const { urn, projectId, poolId, apiKey, profileName, connectionId } = component;
  const outputs = { projectId, poolId, apiKey, profileName, connectionId };
  const response = new ConstructResponse();
  response.setUrn(await valueOf(urn));
  const [properties, dependencies] = await serializeResourceProperties("construct", outputs);
  for (const [name, resources] of dependencies) {
    const urns = await Promise.all([...resources].map((each) => valueOf(each.urn)));
    const of = new ConstructResponse.PropertyDependencies();
    of.setUrnsList(urns);
    response.getStatedependenciesMap().set(name, of);
  }
  response.setState(Struct.fromJavaScript(properties));
  await waitForRPCs();
  return response;
}

/** Options that the program gave to the component. */
function optionsOf(request: ConstructRequest, provider: string): pulumi.ComponentResourceOptions {
  const references = new Map(request.getProvidersMap().entries());
  if (provider !== "" && !references.has("browser-infra")) {
    references.set("browser-infra", provider);
  }
  const providers = [...references].map(([name, each]) => [
    name,
    new pulumi.DependencyProviderResource(each),
  ]);
  const deletedWith = request.getDeletedwith();
  const hooks = hookBindingFromProto(request.getResourceHooks());
  const trigger = request.getReplacementTrigger()?.toJavaScript();
  return {
    aliases: request.getAliasesList().map(aliasOf),
    dependsOn: request.getDependenciesList().map(resourceAt),
    protect: request.getProtect() ?? false,
    providers: Object.fromEntries(providers),
    ...(request.getParent() && { parent: resourceAt(request.getParent()) }),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    retainOnDelete: request.getRetainondelete() ?? false,
    ...(hooks !== undefined && { hooks }),
    ...(deletedWith && { deletedWith: resourceAt(deletedWith) }),
    ...(trigger !== undefined && { replacementTrigger: deserializeProperty(trigger, true) }),
  };
}

function resourceAt(urn: string): pulumi.Resource {
  return new pulumi.DependencyResource(urn);
}

function aliasOf(alias: Alias): pulumi.Alias | string {
  const spec = alias.getSpec();
  if (spec === undefined) {
    return alias.getUrn();
  }
  const named = {
    name: spec.getName(),
    type: spec.getType(),
    stack: spec.getStack(),
    project: spec.getProject(),
  };
  return {
    ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== "")),
    ...(spec.hasParenturn() && { parent: spec.getParenturn() }),
    ...(spec.getNoparent() && { parent: pulumi.rootStackResource }),
  };
}

/** Arguments with the objects whose members the component looks at, also if an SDK sends an Output. */
async function withMembers({
  transform,
  extensions,
  ...others
}: pulumi.Inputs): Promise<BrowserEnvironmentArgs> {
  const args: pulumi.Inputs = { ...others };
  if (extensions !== undefined) {
    args.extensions = await membersOf(extensions, []);
  }
  if (transform !== undefined) {
    const children = await membersOf(transform, Object.keys(environmentKinds));
    const changes = Object.entries(children).map(async ([child, change]) => {
      const kind: ResourceKind | undefined = environmentKinds[child as keyof typeof environmentKinds];
      const names = kind === undefined ? [] : Object.keys(programInputsOf(kinds[kind]));
      return [child, await membersOf(change, names)];
    });
    args.transform = Object.fromEntries(await Promise.all(changes));
  }
  return args as unknown as BrowserEnvironmentArgs;
}

/**
 * Members of an object. Some SDKs send an object with an output as a single Output: each member then
 * is an Output. `possible`: the members as long as a preview does not know the object.
 */
async function membersOf(given: unknown, possible: readonly string[]): Promise<pulumi.Inputs> {
  if (!pulumi.Output.isInstance<pulumi.Inputs | undefined>(given)) {
    return given as pulumi.Inputs;
  }
  const value = await valueOf(given);
  const names = value?.constructor === Object ? Object.keys(value) : possible;
  return Object.fromEntries(names.map((name) => [name, given.apply((known) => known?.[name])]));
}

/** Value of an Output, with unknown parts. The SDK hides the method from programs. */
function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return (output as unknown as { promise(withUnknowns: boolean): Promise<T> }).promise(true);
}
