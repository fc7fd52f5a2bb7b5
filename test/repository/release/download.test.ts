import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import { manifestText } from "../../archive/fixtures.js";
import { startService } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";
import { manifest } from "../documents/packed.js";
import { releasedArchive, releaseFolder } from "./released.js";

/** Plain HTTP server with the files of a release, and the requested paths. */
let releases: Server;
let asked: string[];
let address: string;

beforeAll(async () => {
  asked = [];
  releases = createServer(({ url = "" }, response) => {
    asked.push(url);
    const file = join(releaseFolder, basename(url));
    if (existsSync(file)) {
      const bytes = readFileSync(file);
      // Pulumi accepts no archive without a length.
      response.writeHead(200, { "content-length": bytes.length }).end(bytes);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => releases.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(releases.address() as AddressInfo).port}/releases`;
});

afterAll(() => new Promise((resolve) => releases.close(resolve)));

/** YAML program, with the options that a generated SDK gives to every resource. */
function program(): string {
  return `
name: shop
runtime: yaml
resources:
  blocker:
    type: browser-infra:index:Extension
    properties:
      path: ./extension
    options:
      version: ${manifest.version}
      pluginDownloadURL: ${address}
outputs:
  checksum: \${blocker.checksum}
`;
}

test("a program that names the download URL gets the plugin from there at its first up, without Node", async () => {
  const { emulator, environment } = await startService();
  const stack = await Stack.create(
    {
      ...environment,
      // Only the engine and the language hosts.
      PATH: process.env.BROWSER_INFRA_TEST_PULUMI,
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false",
    },
    program(),
  );
  try {
    stack.write("extension/manifest.json", manifestText());
    await stack.up();
    const { checksum } = await packExtension(stack.path("extension"));
    expect(stack.extension().outputs.checksum).toBe(checksum);
    expect(asked).toEqual([`/releases/${releasedArchive}`]);
    const plugins = join(stack.folder, "home", ".pulumi", "plugins");
    expect(readdirSync(plugins).filter((name) => !/\.(lock|partial|lastused)$/.test(name))).toEqual([
      `resource-browser-infra-v${manifest.version}`,
    ]);

    expect(await stack.preview("--expect-no-changes")).toMatchObject({ exitCode: 0 });
    await stack.succeed("destroy", "--yes");
    expect(asked).toHaveLength(1);
  } finally {
    stack.remove();
    await emulator.close();
  }
});
