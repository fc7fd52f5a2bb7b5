import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, ftruncateSync, openSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { packExtension, readExtension } from "../../src/archive/index.js";
import { CanceledError, InputError } from "../../src/errors.js";
import { errorOf } from "../support/error-of.js";
import { manifestText, noise } from "./fixtures.js";
import { archiveErrorOf, builtPackage, extensionOf, folderOf } from "./folders.js";

describe("archive: refusals", () => {
  test.each([
    ["an empty string", "", "path_invalid"],
    ["whitespace", "  ", "path_invalid"],
    ["no string at all", undefined, "path_invalid"],
    ["a NUL", "a\0b", "path_invalid"],
    ["a relative one without a folder to start in", "./extension", "path_invalid"],
    ["what does not exist", "/no-such-folder", "path_not_found"],
    ["a file that is no zip", __filename, "path_not_extension"],
  ])("packing refuses %s as a path, before anything is read", async (_what, path, code) => {
    const error = await errorOf(packExtension(path as string));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code, property: "path" });
  });

  test("the error for a file: address shows the path to write instead", async () => {
    const error = await errorOf(packExtension("file:///srv/my%20extension"));
    expect((error as Error).message).toContain(
      'is an address, not a path. Write the path: "/srv/my extension".',
    );
    expect(((await errorOf(packExtension("file://%"))) as Error).message).toContain(
      "is an address, not a path. Write the path.",
    );
  });

  test("the error for a percent-encoded path shows the existing path without encoding", async () => {
    const baseFolder = folderOf([["my extension/manifest.json", manifestText()]]);
    const error = await errorOf(packExtension("my%20extension", { baseFolder }));
    expect((error as Error).message).toContain(
      '"my extension" exists: write "path" without percent-encoding.',
    );
    const neither = await errorOf(packExtension("no%20extension", { baseFolder }));
    expect((neither as Error).message).toContain('A relative "path" starts at');
  });

  test("the error for a project folder recommends the build and names the folder of a second manifest", async () => {
    const folder = folderOf([
      ["manifest.json", manifestText()],
      ["node_modules/tool/cli.js", ""],
      ["node_modules/.bin/other", ""],
      ["dist/manifest.json", manifestText()],
    ]);
    symlinkSync("../tool/cli.js", join(folder, "node_modules/.bin/tool"));
    const error = await archiveErrorOf(packExtension(folder));
    expect(error.code).toBe("archive_symlink");
    expect(error.message).toContain(
      'This looks like a project. Point "path" at its build; another manifest is in "dist/".',
    );
    expect((await packExtension(folder, { exclude: ["node_modules"] })).entries).toHaveLength(2);
  });

  test("an error names the folder as typed and relative file paths, never an absolute path that was not typed", async () => {
    const folder = extensionOf([["CON.js", ""]]);
    const typed = `./${basename(folder)}`;
    const baseFolder = dirname(folder);
    const { message } = await archiveErrorOf(packExtension(typed, { baseFolder }));
    expect(message).toContain(`Folder "${typed}"`);
    expect(message).toContain('"CON.js"');
    expect(message).not.toContain(baseFolder);
  });

  test("the error for a folder without a manifest at the top names the folder of the nearest manifest", async () => {
    const folder = folderOf([
      ["a/deep/manifest.json", manifestText()],
      ["node_modules/manifest.json", manifestText()],
      ["public/manifest.json", manifestText()],
    ]);
    const error = await archiveErrorOf(packExtension(folder));
    expect(error.code).toBe("archive_manifest_missing");
    expect(error.message).toContain('the nearest manifest is in "public/"');
  });

  test("an error names every kind of offender at once, with five examples and the count of the rest", async () => {
    const folder = extensionOf(Array.from({ length: 8 }, (_, index) => [`a${index}:.js`, ""] as const));
    symlinkSync("nowhere", join(folder, "link"));
    const error = await archiveErrorOf(packExtension(folder));
    expect(error.code).toBe("archive_symlink");
    expect(error.message).toContain("Names that are not the same on every system (8)");
    expect(error.message).toContain('"a4:.js" (has the character :) and 3 more');
    expect(error.message).not.toContain("a5:.js");
  });

  test("a file above 512 MiB is refused unread", async () => {
    const folder = extensionOf();
    const descriptor = openSync(join(folder, "huge.bin"), "w");
    ftruncateSync(descriptor, 512 * 1024 * 1024 + 1);
    closeSync(descriptor);
    const error = await archiveErrorOf(readExtension(folder));
    expect(error.code).toBe("archive_too_large");
    expect(error.message).toContain('"huge.bin" 512.0 MiB');
  });

  test("files of more than 1 GiB in total are refused unread", async () => {
    const folder = extensionOf();
    for (const name of ["a", "b", "c"]) {
      const descriptor = openSync(join(folder, name), "w");
      ftruncateSync(descriptor, 400 * 1024 * 1024);
      closeSync(descriptor);
    }
    const error = await archiveErrorOf(readExtension(folder));
    expect(error.code).toBe("archive_too_large");
    expect(error.message).toContain("holds 1.2 GiB; the maximum is 1.0 GiB");
  });

  test("an archive above 50 MiB is refused, and the error names the largest files", async () => {
    const folder = extensionOf([
      ["model.bin", noise(1, 30 * 1024 * 1024)],
      ["demo.mp4", noise(2, 21 * 1024 * 1024)],
    ]);
    const error = await archiveErrorOf(packExtension(folder));
    expect(error.code).toBe("archive_too_large");
    expect(error.message).toContain('"model.bin" 30.0 MiB, "demo.mp4" 21.0 MiB');
  });

  test("a file without read permission fails the packing and is never left out", async () => {
    const folder = extensionOf([["secret.js", "x"]]);
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "secret.js"), 0o000);
    // The superuser may read everything, so the process drops privileges after loading the code.
    const script = `
      const { packExtension } = require(process.argv[1]);
      if (process.getuid() === 0) process.setuid(65534);
      packExtension(process.argv[2]).then(
        () => console.log(JSON.stringify({ code: "packed" })),
        ({ code, message }) => console.log(JSON.stringify({ code, message })),
      );`;
    const printed = execFileSync(
      process.execPath,
      ["-e", script, join(builtPackage, "archive/index.js"), folder],
      { encoding: "utf8" },
    );
    const error = JSON.parse(printed);
    expect(error.code).toBe("archive_unreadable");
    expect(error.message).toContain('"secret.js" cannot be read (EACCES)');
  });

  test("a canceled packing ends between two files", async () => {
    const canceled = new AbortController();
    canceled.abort(new Error("the user said so"));
    await expect(packExtension(extensionOf(), { signal: canceled.signal })).rejects.toThrow(CanceledError);

    const midway = new AbortController();
    const packing = packExtension(
      extensionOf([
        ["big.bin", noise(1, 8_000_000)],
        ["z.js", ""],
      ]),
      {
        signal: midway.signal,
      },
    );
    // The first turn of the event loop comes while the large file is compressed.
    setImmediate(() => midway.abort());
    await expect(packing).rejects.toThrow(CanceledError);
  });
});
