/**
 * The Pulumi program of the bench, in a separate process. Arguments: a task, and how many
 * resources. Prints JSON.
 */
const pulumi = require("@pulumi/pulumi");

/** @type {Readonly<Record<string, (...args: string[]) => Promise<object>>>} */
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
  async ours(count = "") {
    const { Extension } = require("pulumi-browser-infra");
    return { declareMs: await declare(count, (name) => new Extension(name, { path: "./extension" })) };
  },

  /**
   * Declaring resources with the SDK's own base class, which serializes the provider's closures.
   */
  async closures(count = "") {
    class SdkResource extends pulumi.dynamic.Resource {}
    const provider = {
      /** @param {object} inputs */
      async create(inputs) {
        return { id: "id", outs: inputs };
      },
    };
    return {
      declareMs: await declare(count, (name) => new SdkResource(provider, name, { path: "./extension" })),
    };
  },
};

/**
 * @param {string} count
 * @param {(name: string) => pulumi.CustomResource} declareOne
 */
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

const [task = "", ...args] = process.argv.slice(2);
const run = tasks[task];
if (run === undefined) {
  throw new Error(`There is no task "${task}".`);
}
run(...args).then((figures) => console.log(JSON.stringify(figures)));
