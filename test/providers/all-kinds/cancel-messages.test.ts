import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Properties } from "../../bridges/wire-messages.js";
import type { samples } from "../../contract/rows/samples.js";
import { errorOf } from "../../support/error-of.js";
import { PlayedProgram } from "../played-program.js";

/** Write that Ctrl-C interrupts. In messages, `<id>` stands for the id of the resource. */
interface Row {
  readonly kind: keyof typeof samples;
  readonly method: "POST" | "PATCH" | "DELETE";
  /** Undefined: nothing exists. */
  readonly before?: Properties;
  /** Undefined: the resource is destroyed. */
  readonly after?: Properties;
  readonly said: string;
}

const continues = 'Run "pulumi up" again: it';
/** Advice about options of the resource. */
const options = "<options>";
const continuesAll = "Run the same command again: it continues from there.";

const rows: Readonly<Record<string, Row>> = {
  "the creation of a project": {
    kind: "Project",
    method: "POST",
    after: { name: "shop" },
    said: `The creation of project "shop" was interrupted, and the project may exist now or appear later. ${continues} looks for this project, and finishes or creates it. ${options}`,
  },
  "the change of a project": {
    kind: "Project",
    method: "PATCH",
    before: { name: "shop" },
    after: { name: "store" },
    said: `The change of project <id> was interrupted, and the project has its old settings or the new ones. ${continuesAll}`,
  },
  "the deletion of a project": {
    kind: "Project",
    method: "DELETE",
    before: { name: "shop" },
    said: 'The deletion of project <id> was interrupted, and the project may be gone. Run the same command again with "--refresh" to find out.',
  },
  "the archiving of a project": {
    kind: "Project",
    method: "PATCH",
    before: { name: "shop", onDelete: "archive" },
    said: 'The archiving of project <id> was interrupted, and the project is archived or active. Run the same command again with "--refresh" to find out.',
  },
  "a change of limits": {
    kind: "ProjectLimits",
    method: "PATCH",
    after: { projectId: "shop", maxConcurrentSessions: 5 },
    said: `The change of the limits of project shop was interrupted, and the project has the old limits or the new limits. ${continuesAll}`,
  },
  "the restoration of limits": {
    kind: "ProjectLimits",
    method: "PATCH",
    before: { projectId: "shop", maxConcurrentSessions: 5 },
    said: 'The change of the limits of project <id> was interrupted, and the project has the old limits or the new limits. Run the same command again with "--refresh" to find out.',
  },
  "a renaming of a key": {
    kind: "ApiKeyName",
    method: "PATCH",
    after: { keyId: "ci", name: "CI, production" },
    said: `The change of the name of API key ci was interrupted, and the API key has the old name or the new name. ${continuesAll}`,
  },
  "the creation of an API key": {
    kind: "ApiKey",
    method: "POST",
    after: { name: "agents" },
    said: `The creation of API key "agents" was interrupted, and a key whose secret is lost may exist now or appear later. ${continues} deletes exactly that key, and creates a new key. ${options}`,
  },
  "a rotation": {
    kind: "ApiKey",
    method: "POST",
    before: { name: "agents", triggers: ["1"] },
    after: { name: "agents", triggers: ["2"] },
    said: `The rotation of API key <id> was interrupted, and the key may expire soon, with a new key in its place whose secret is lost. ${continues} checks what happened, and creates a key whose secret is known.`,
  },
  "the deletion of an API key": {
    kind: "ApiKey",
    method: "DELETE",
    before: { name: "agents" },
    said: 'The deletion of API key <id> was interrupted, and the key may be gone. Run the same command again with "--refresh" to find out.',
  },
  "the creation of a browser pool": {
    kind: "BrowserPool",
    method: "POST",
    after: { name: "agents", size: 1 },
    said: `The creation of browser pool "agents" was interrupted, and the pool may exist now or appear later. ${continues} looks for this pool, and finishes or creates it. ${options}`,
  },
  "the change of a browser pool": {
    kind: "BrowserPool",
    method: "PATCH",
    before: { name: "agents", size: 1 },
    after: { name: "agents", size: 2 },
    said: `The change of browser pool <id> was interrupted, and the pool has its old settings or the new ones. ${continuesAll}`,
  },
  "the deletion of a browser pool": {
    kind: "BrowserPool",
    method: "DELETE",
    before: { name: "agents", size: 1 },
    said: 'The deletion of browser pool <id> was interrupted, and the pool may be gone. Run the same command again with "--refresh" to find out.',
  },
  "the creation of an extension": {
    kind: "Extension",
    method: "POST",
    after: { path: "./one", name: "reader" },
    said: `The creation of extension "reader" was interrupted, and the extension may exist now or appear later. ${continues} looks for this extension, and finishes or creates it. ${options}`,
  },
  "the deletion of an extension": {
    kind: "Extension",
    method: "DELETE",
    before: { path: "./one" },
    said: 'The deletion of extension <id> was interrupted, and the extension may be gone. Run the same command again with "--refresh" to find out.',
  },
  "the replacement of an extension under a fixed name": {
    kind: "Extension",
    method: "POST",
    before: { path: "./one", name: "reader" },
    after: { path: "./two", name: "reader" },
    said: `The creation of extension "reader" was interrupted, and the extension may exist now or appear later. ${continues} looks for this extension, and finishes or creates it. ${options}`,
  },
};

describe("messages after Ctrl-C", () => {
  test.each(Object.entries(rows))(
    "the message after Ctrl-C during %s advises to run the command again",
    async (_what, { kind, method, before, after, said }) => {
      const program = await PlayedProgram.start(kind);
      program.emulator.createProject({ id: "shop", name: "limited" });
      program.emulator.createApiKey({ id: "ci", name: "CI" });
      for (const version of ["one", "two"]) {
        mkdirSync(join(program.folder, version));
        const manifest = { manifest_version: 3, name: "Reader", version: "1.0.0", description: version };
        writeFileSync(join(program.folder, version, "manifest.json"), JSON.stringify(manifest));
      }
      try {
        if (before !== undefined) {
          await program.up(before);
        }
        const { id = "<id>" } = program.engine.find("agents") ?? {};
        program.interrupt(method);
        const { message } = await errorOf(after === undefined ? program.destroy() : program.up(after));
        expect(message.replace(id, "<id>").replace(/ With the option "protect".*/, " <options>")).toBe(said);
      } finally {
        await program.emulator.close();
      }
    },
  );
});
