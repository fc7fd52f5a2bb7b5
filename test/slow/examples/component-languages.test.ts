import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { BrowserInfraClient } from "../../../src/client/index.js";
import type { Emulator } from "../../../src/emulator/index.js";
import { goSettings } from "../../support/stacks/first-steps.js";
import { programsFolder } from "../../support/stacks/install-package.js";
import { manifest, startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { reference } from "../../support/stacks/yaml-program.js";
import { sdks, testWithSdks } from "../../support/where-available.js";

/** Parts of the program that a story changes. */
interface Declared {
  readonly size: number;
  /** Host that the pool may reach, changed by the transform. */
  readonly host: string;
}

/** A way to declare the component. */
interface Way {
  readonly name: string;
  readonly declareTest: (title: string, run: () => Promise<void>) => void;
  readonly runtime: string | object;
  readonly environment?: () => NodeJS.ProcessEnv;
  /** Writes the program. The project and the profile have fixed names, so both can be imported. */
  readonly write: (stack: Stack, declared: Declared) => void;
  /** Whether "pulumi import" reaches the children: not those of dynamic resources, which are adopted. */
  readonly isImported: boolean;
}

const isOfAdoption = (isImported: boolean) => (isImported ? "" : `, adopt: "shop"`);

/** Program in JavaScript, which changes the pool by a function. */
function javaScript(name: string, entry: string, isImported: boolean): Way {
  const adopt = isOfAdoption(isImported);
  return {
    name,
    isImported,
    declareTest: test,
    runtime: { name: "nodejs", options: { typescript: false } },
    write: (stack, { size, host }) =>
      stack.write(
        "index.js",
        `const { BrowserEnvironment, TelemetryDestination } = require("${entry}");
        const traces = new TelemetryDestination("traces", { endpoint: "https://otlp.example.com" });
        const shop = new BrowserEnvironment("shop", {
          size: ${size},
          maxConcurrentSessions: 5,
          extensions: { reader: "./extension" },
          domain: "shop.example",
          transform: {
            project: { name: "shop"${adopt} },
            profile: { name: "shop"${adopt} },
            pool: (args) => {
              args.telemetry = {};
              args.telemetryDestinationId = traces.id;
              args.network = { allowedHosts: ["${host}"] };
            },
          },
        });
        exports.poolId = shop.poolId;
        exports.apiKey = shop.apiKey;`,
      ),
  };
}

const ways: readonly Way[] = [
  javaScript("TypeScript", "pulumi-browser-infra", false),
  javaScript("TypeScript, through the plugin", "pulumi-browser-infra/plugin", true),
  {
    name: "YAML",
    isImported: true,
    declareTest: test,
    runtime: "yaml",
    write(stack, { size, host }) {
      const project = JSON.parse(readFileSync(stack.path("Pulumi.yaml"), "utf8"));
      const pool = {
        telemetry: {},
        telemetryDestinationId: reference("traces.id"),
        network: { allowedHosts: [host] },
      };
      const properties = {
        size,
        maxConcurrentSessions: 5,
        extensions: { reader: "./extension" },
        domain: "shop.example",
        transform: { project: { name: "shop" }, profile: { name: "shop" }, pool },
      };
      const resources = {
        traces: {
          type: "browser-infra:TelemetryDestination",
          properties: { endpoint: "https://otlp.example.com" },
        },
        shop: { type: "browser-infra:BrowserEnvironment", properties },
      };
      const outputs = { poolId: reference("shop.poolId"), apiKey: reference("shop.apiKey") };
      stack.write("Pulumi.yaml", JSON.stringify({ ...project, resources, outputs }));
    },
  },
  {
    name: "Python",
    isImported: true,
    declareTest: testWithSdks,
    runtime: "python",
    environment: () => ({ PATH: [join(sdks, "venv/bin"), process.env.PATH].join(delimiter) }),
    write(stack, { size, host }) {
      stack.write(
        "__main__.py",
        `import pulumi
import pulumi_browser_infra as infra

traces = infra.TelemetryDestination("traces", endpoint="https://otlp.example.com")
shop = infra.BrowserEnvironment("shop",
    size=${size},
    max_concurrent_sessions=5,
    extensions={"reader": "./extension"},
    domain="shop.example",
    transform={
        "project": {"name": "shop"},
        "profile": infra.ProfileTransformArgs(name="shop"),
        "pool": {
            "telemetry": {},
            "telemetry_destination_id": traces.id,
            "network": {"allowed_hosts": ["${host}"]},
        },
    })
pulumi.export("poolId", shop.pool_id)
pulumi.export("apiKey", shop.api_key)
`,
      );
    },
  },
  {
    name: "Go",
    isImported: true,
    declareTest: testWithSdks,
    runtime: "go",
    environment: () => ({ ...goSettings(), GOPROXY: "off", GOWORK: "off" }),
    write(stack, { size, host }) {
      for (const file of ["go.mod", "go.sum"]) {
        cpSync(join(sdks, "go", file), stack.path(file));
      }
      stack.write(
        "main.go",
        `package main

import (
	"example.com/pulumi-browser-infra/sdk/go/browserinfra"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		traces, err := browserinfra.NewTelemetryDestination(ctx, "traces", &browserinfra.TelemetryDestinationArgs{
			Endpoint: pulumi.String("https://otlp.example.com"),
		})
		if err != nil {
			return err
		}
		shop, err := browserinfra.NewBrowserEnvironment(ctx, "shop", &browserinfra.BrowserEnvironmentArgs{
			Size:                  pulumi.Int(${size}),
			MaxConcurrentSessions: pulumi.Int(5),
			Extensions:            pulumi.StringMap{"reader": pulumi.String("./extension")},
			Domain:                pulumi.String("shop.example"),
			Transform: &browserinfra.BrowserEnvironmentTransformArgs{
				Project: &browserinfra.ProjectTransformArgs{Name: pulumi.String("shop")},
				Profile: &browserinfra.ProfileTransformArgs{Name: pulumi.String("shop")},
				Pool: &browserinfra.BrowserPoolTransformArgs{
					Telemetry:              &browserinfra.BrowserTelemetryArgs{},
					TelemetryDestinationId: traces.ID(),
					Network:                &browserinfra.BrowserPoolNetworkArgs{AllowedHosts: pulumi.StringArray{pulumi.String("${host}")}},
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("poolId", shop.PoolId)
		ctx.Export("apiKey", shop.ApiKey)
		return nil
	})
}
`,
      );
    },
  },
];

describe("a BrowserEnvironment, with the real engine", () => {
  let emulator: Emulator;
  let stack: Stack;

  /** Stack with its own copy of the package, which a later version can replace. */
  async function start({ runtime, environment = () => ({}) }: Way): Promise<void> {
    const service = await startService({ speed: 50 });
    emulator = service.emulator;
    const plugins = {
      providers: [{ name: "browser-infra", path: "node_modules/pulumi-browser-infra/plugin" }],
    };
    stack = await Stack.create(
      { ...service.environment, ...environment() },
      JSON.stringify({ name: "shop", runtime, plugins }),
    );
    const installed = join(programsFolder, "node_modules/pulumi-browser-infra");
    cpSync(installed, stack.path("node_modules/pulumi-browser-infra"), { recursive: true });
    symlinkSync(join(programsFolder, "node_modules/@pulumi"), stack.path("node_modules/@pulumi"));
    if (runtime === "python") {
      symlinkSync(join(sdks, "venv"), stack.path("venv"));
    }
    stack.write("extension/manifest.json", manifest());
  }

  afterEach(async () => {
    stack?.remove();
    await emulator?.close();
  });

  /** Installs a later version of the package, whose component has a second profile. */
  function installLaterVersion(): void {
    for (const file of ["dist/resources/browser-environment.js", "plugin/bundle.cjs"]) {
      const path = stack.path("node_modules/pulumi-browser-infra", file);
      const before = readFileSync(path, "utf8");
      const added = '(child(["spare",classes.Profile],void 0,{projectId}),child)(["pool"';
      const after = before.replace(/\bchild\(\[\s*"pool"/, added);
      expect(after).not.toBe(before);
      writeFileSync(path, after);
    }
  }

  /** Creates a project with a profile, and imports both below the component, unless the program adopts. */
  async function importChildren({ isImported }: Way): Promise<readonly string[]> {
    const project = emulator.createProject({ name: "shop" });
    const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
    const profile = await client.inProject(project.id).profiles.create({ name: "shop" });
    await client.close();
    if (isImported) {
      const type = (kind: string) => `browser-infra:index:${kind}`;
      const resources = [
        { type: type("BrowserEnvironment"), name: "shop", component: true },
        { type: type("Project"), name: "shop-project", id: project.id, parent: "shop" },
        {
          type: type("Profile"),
          name: "shop-profile",
          id: `${project.id}/${profile.id}`,
          parent: "shop",
        },
      ];
      stack.write("import.json", JSON.stringify({ resources }));
      const quietly = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview"];
      await stack.succeed("import", "--file", "import.json", ...quietly);
    }
    return [project.id, profile.id];
  }

  const idsOf = () =>
    Object.fromEntries(
      stack.resources().flatMap(({ urn, id }) => (urn.includes("providers") ? [] : [[urn, id]])),
    );

  for (const way of ways) {
    way.declareTest(
      `a BrowserEnvironment in ${way.name} takes existing children over, is deployed, changed and extended without a replacement, and destroyed`,
      async () => {
        await start(way);
        way.write(stack, { size: 1, host: "a.example" });
        const [projectId, profileId] = await importChildren(way);
        const first = await stack.succeed("up", "--yes");
        expect(first).not.toMatch(/\berror\b/);
        const [pool] = emulator.browserPools.list(projectId);
        expect(pool).toMatchObject({ projectId, profileId, network: { allowed_hosts: ["a.example"] } });
        expect(pool?.extensionIds).toEqual([stack.extension().id]);
        expect(emulator.profiles.list(projectId)).toHaveLength(1);
        expect(await stack.outputs()).toEqual({ poolId: pool?.id, apiKey: "[secret]" });
        await stack.expectNoChanges();
        const before = idsOf();

        way.write(stack, { size: 1, host: "b.example" });
        expect(await stack.up()).toMatch(/~ 1 updated/);
        expect(emulator.browserPools.list(projectId)).toMatchObject([
          { id: pool?.id, network: { allowed_hosts: ["b.example"] } },
        ]);

        installLaterVersion();
        expect(await stack.up()).toMatch(/\+ 1 created\s+\d+ unchanged/);
        expect(idsOf()).toMatchObject(before);
        expect(Object.keys(idsOf()).length).toBe(Object.keys(before).length + 1);
        await stack.expectNoChanges();
        if (!way.isImported) {
          javaScript("the same through the plugin", "pulumi-browser-infra/plugin", false).write(stack, {
            size: 1,
            host: "b.example",
          });
          await stack.expectNoChanges();
        }

        await stack.destroy();
        expect(emulator.projects.list().map(({ name }) => name)).toEqual(["Default"]);
      },
    );
  }
});
