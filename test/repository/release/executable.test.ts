import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packExtension } from "../../../src/archive/index.js";
import { fixtures, noise } from "../../archive/fixtures.js";
import { extensionOf, folderOf } from "../../archive/folders.js";
import { goldenChecksums } from "../../archive/same-bytes/goldens.js";
import { startService } from "../../support/stacks/service.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { manifest } from "../documents/packed.js";
import { root } from "../documents/pages.js";
import { askPlugin } from "../forms/started-plugin.js";
import { releasedArchive, releaseFolder } from "./released.js";

let unpacked: string;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  unpacked = temporaryFolder();
  execFileSync("tar", ["-xzf", join(releaseFolder, releasedArchive), "-C", unpacked]);
  service = await startService();
});

afterAll(() => service.emulator.close());

/** Runs the executable with an empty PATH, and checks the paths. */
function ask(paths: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const empty = temporaryFolder();
  return askPlugin(join(unpacked, "pulumi-resource-browser-infra"), paths, {
    environment: { PATH: empty, HOME: empty, ...service.environment, ...environment },
    folder: temporaryFolder(),
  });
}

describe("the plugin as an executable", () => {
  test("the executable starts without Node, with version and schema of the package, and packs to the recorded bytes", async () => {
    const { version, schema, checksums } = await ask(fixtures.map(({ files }) => folderOf(files)));
    expect(version).toBe(manifest.version);
    expect(schema).toBe(readFileSync(join(root, "schema.json"), "utf8"));
    expect(checksums).toEqual(Object.values(goldenChecksums));
  });

  test("the executable packs a folder with a large file in a thread", async () => {
    const folder = extensionOf([["bundle.js", Buffer.alloc(4_200_000, noise(3, 10_000))]]);
    const notes = join(temporaryFolder(), "workers");
    const preload = `--require ${JSON.stringify(join(__dirname, "..", "forms", "note-workers.cjs"))}`;
    const { checksums } = await ask([folder], { NODE_OPTIONS: preload, NOTE_WORKERS: notes });
    expect(checksums).toEqual([(await packExtension(folder)).checksum]);
    expect(readFileSync(notes, "utf8")).toBe("browser-infra pack\n");
  });

  test("the archive of the executable contains the licence, and the notices of all parts, including Node", () => {
    expect(readdirSync(unpacked).sort()).toEqual(["LICENSE", "NOTICES.txt", "pulumi-resource-browser-infra"]);
    const notices = readFileSync(join(unpacked, "NOTICES.txt"), "utf8");
    expect(notices).toContain(readFileSync(join(root, "plugin", "NOTICES.txt"), "utf8").trim());
    expect(notices).toContain("Node.js is licensed for use as follows:");
  });

  test("the archive of the executable is listed in SHA256SUMS", () => {
    const sums = readFileSync(join(releaseFolder, "SHA256SUMS"), "utf8");
    const sha256 = createHash("sha256").update(readFileSync(join(releaseFolder, releasedArchive)));
    expect(sums.split("\n")).toContain(`${sha256.digest("hex")}  ${releasedArchive}`);
  });
});
