/**
 * The side of the Pulumi program, in a process of its own. Argument: what to do, and how many.
 * Prints JSON.
 */
const pulumi = require("@pulumi/pulumi");

const tasks = {
  /** Loading Pulumi's SDK, which every program does. */
  async nothing() {
    return {};
  },

  /** The same, and this package. */
  async load() {
    const startedAt = performance.now();
    require("pulumi-browser-infra");
    return { loadMs: performance.now() - startedAt };
  },

  /** Declaring extensions with this package. */
  async ours(count) {
    const { Extension } = require("pulumi-browser-infra");
    return { declareMs: await declare(count, (name) => new Extension(name, { path: "./extension" })) };
  },

  /**
   * Declaring resources with the SDK's own base class, which serialises the provider's closures.
   */
  async closures(count) {
    const provider = {
      async create(inputs) {
        return { id: "id", outs: inputs };
      },
    };
    return {
      declareMs: await declare(
        count,
        (name) => new pulumi.dynamic.Resource(provider, name, { path: "./extension" }),
      ),
    };
  },
};

async function declare(count, declareOne) {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: () => ({}),
  });
  const startedAt = performance.now();
  const ids = Array.from({ length: Number(count) }, (_, index) => declareOne(`extension-${index}`).id);
  await new Promise((resolve) => {
    pulumi.all(ids).apply(resolve);
  });
  return performance.now() - startedAt;
}

const [task, count] = process.argv.slice(2);
tasks[task](count).then((figures) => console.log(JSON.stringify(figures)));
