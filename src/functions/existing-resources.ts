import * as pulumi from "@pulumi/pulumi";

/** What Pulumi keeps about a component but leaves out of its types; its own functions read it. */
interface ComponentInternals {
  /** Settles when the component's constructor has ended. From then on, its children are known. */
  readonly __data?: Promise<unknown>;
  readonly __childResources?: ReadonlySet<pulumi.Resource>;
}

/**
 * Waits for all that a call depends on: the resources behind `args` and those of `dependsOn`, where
 * a component means all resources below it. Unknown while one does not exist, as in a preview.
 */
export function existing(
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

/** The custom resources among these and, through components, below them. */
async function customResources(resources: readonly pulumi.Resource[]): Promise<pulumi.CustomResource[]> {
  const found: pulumi.CustomResource[] = [];
  const all = new Set(resources);
  // The loop also visits what is added to the set during the loop.
  for (const resource of all) {
    if (pulumi.CustomResource.isInstance(resource)) {
      // A resource that Pulumi knows by its URN alone has no id, and exists.
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
