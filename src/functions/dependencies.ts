import * as pulumi from "@pulumi/pulumi";

/** Members of components absent from Pulumi's types, but read by Pulumi's own functions. */
interface ComponentInternals {
  /** Settles when the component's constructor has ended. From then on, the children are known. */
  readonly __data?: Promise<unknown>;
  readonly __childResources?: ReadonlySet<pulumi.Resource>;
}

/** Waits for the resources of `args` and `dependsOn`, and for all resources below a component. */
export function waitForDependencies(
  args: pulumi.Output<unknown>,
  dependsOn: pulumi.InvokeOutputOptions["dependsOn"],
): pulumi.Output<unknown> {
  const named = pulumi.output(dependsOn ?? []) as pulumi.Output<pulumi.Resource | pulumi.Resource[]>;
  return named.apply(async (resources) => {
    const behind = [await pulumi.getAllResources(args), await pulumi.getAllResources(named)];
    const custom = await customResources([resources, ...behind.map((each) => [...each])].flat());
    return pulumi.all(custom.map(({ id }) => id));
  });
}

/** Custom resources among the given resources and below the given components. */
async function customResources(resources: readonly pulumi.Resource[]): Promise<pulumi.CustomResource[]> {
  const found: pulumi.CustomResource[] = [];
  const all = new Set(resources);
  // The loop also visits resources added to the set during the loop.
  for (const resource of all) {
    if (pulumi.CustomResource.isInstance(resource)) {
      // A resource known to Pulumi only by URN has no id, and exists.
      if (resource.id !== undefined) {
        found.push(resource);
      }
    } else {
      const component = resource as ComponentInternals;
      await component.__data;
      for (const child of component.__childResources ?? []) {
        all.add(child);
      }
    }
  }
  return found;
}
