import { BrowserInfraClient } from "../../src/client/index.js";
import { Scene } from "./kills/scene.js";

/** Several run at once, and each runs the command some six times. Milliseconds. */
const testMsMax = 300_000;

/** A program with the extension "reader", under an automatic name unless it has a fixed one. */
function reader(content: number, name?: string) {
  return { extensions: { reader: { content, name } } };
}

function ci(name: string) {
  return { keys: { ci: name } };
}

/** A resource that stays in the program, unchanged. */
const stays = { stays: { content: 0 } };

describe("a deployment that is killed between the service's answer and the state, with the real engine", () => {
  test.concurrent(
    "1. keeps a key's original name when its first naming was killed and the same program is deployed (engine killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare(ci("ci"));
        await scene.killAfterAnswer("PATCH", "engine");
        await scene.converge();
        await scene.destroy();
      }),
    testMsMax,
  );

  test.concurrent(
    "2. keeps a key's original name when its first naming was killed and another name is deployed (everything killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare(ci("ci"));
        await scene.killAfterAnswer("PATCH", "everything");
        scene.declare(ci("ci 2"));
        await scene.converge();
        await scene.destroy();
      }),
    testMsMax,
  );

  test.concurrent(
    "3. gives a key its declared name when a rename was killed and the program is reverted (engine killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare(ci("ci"));
        await scene.converge();
        scene.declare(ci("ci 2"));
        await scene.killAfterAnswer("PATCH", "engine");
        scene.declare(ci("ci"));
        await scene.converge();
        await scene.destroy();
      }),
    testMsMax,
  );

  test.concurrent(
    "4. leaves no orphan when an upload under an automatic name was killed and other content is deployed (everything killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare(reader(1));
        await scene.killAfterAnswer("POST", "everything");
        scene.declare(reader(2));
        await scene.converge();
        await scene.destroy();
      }),
    testMsMax,
  );

  test.concurrent(
    "5. leaves no orphan when an upload under an automatic name was killed and other content is deployed with --refresh (engine killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare(reader(1));
        await scene.converge();
        scene.declare(reader(2));
        await scene.killAfterAnswer("POST", "engine");
        scene.declare(reader(3));
        await scene.converge({ refresh: true });
        await scene.destroy();
      }),
    testMsMax,
  );

  test.concurrent(
    "6. leaves nothing when an upload under an automatic name was killed and everything is destroyed (everything killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare(reader(1));
        await scene.converge();
        scene.declare(reader(2));
        await scene.killAfterAnswer("POST", "everything");
        scene.declare(reader(3));
        await scene.destroy();
      }),
    testMsMax,
  );

  test.concurrent(
    "7. replaces its own upload when one under a fixed name was killed and other content is deployed (engine killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare(reader(1, "page-reader"));
        await scene.killAfterAnswer("POST", "engine");
        scene.declare(reader(2, "page-reader"));
        await scene.converge();
        await scene.destroy();
      }),
    testMsMax,
  );

  test.concurrent(
    "8. leaves nothing when an upload under a fixed name was killed and everything is destroyed (everything killed)",
    () =>
      Scene.play(async (scene) => {
        // With nothing of ours in the state, a destroy would call no provider.
        scene.declare({ extensions: stays });
        await scene.converge();
        const added = (content: number) => ({
          extensions: { ...stays, ...reader(content, "page-reader").extensions },
        });
        scene.declare(added(1));
        await scene.killAfterAnswer("POST", "everything");
        scene.declare(added(2));
        await scene.destroy();
      }),
    testMsMax,
  );

  test.concurrent(
    "9. replaces its own upload when a replacement under a fixed name was killed and other content is deployed (engine killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare(reader(1, "page-reader"));
        await scene.converge();
        scene.declare(reader(2, "page-reader"));
        await scene.killAfterAnswer("POST", "engine");
        scene.declare(reader(3, "page-reader"));
        await scene.converge();
        await scene.destroy();
      }),
    testMsMax,
  );

  test.concurrent(
    "10. has the old content again when a replacement under a fixed name was killed after its deletion and the program is reverted (engine killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare(reader(1, "page-reader"));
        await scene.converge();
        const lastVersion = await downloadFrom(scene, "page-reader");
        scene.declare(reader(2, "page-reader"));
        await scene.killAfterAnswer("DELETE", "engine");
        expect(scene.emulator.extensions.list()).toEqual([]);
        scene.declare(reader(1, "page-reader"));
        await scene.converge();
        expect(await downloadFrom(scene, "page-reader")).toEqual(lastVersion);
        await scene.destroy();
      }),
    testMsMax,
  );

  test.concurrent(
    "11. loses no saved archive before everything is destroyed when a replacement under a fixed name was killed after its deletion (everything killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare(reader(1, "page-reader"));
        await scene.converge();
        const [{ checksum } = { checksum: null }] = scene.emulator.extensions.list();
        scene.declare(reader(2, "page-reader"));
        await scene.killAfterAnswer("DELETE", "everything");
        scene.declare(reader(1, "page-reader"));
        // A preview must say what is missing, and must forget nothing.
        expect(await scene.changesInPreview()).toContain("reader");
        expect(scene.isSaved(checksum)).toBe(true);
        await scene.destroy();
        expect(scene.isSaved(checksum)).toBe(false);
      }),
    testMsMax,
  );

  test.concurrent(
    "12. leaves no orphan and no note when the first upload of a resource was killed and it leaves the program (everything killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare({ extensions: stays });
        await scene.converge();
        const id = scene.idOf("stays");
        scene.declare({ extensions: { ...stays, leaves: { content: 1 } } });
        await scene.killAfterAnswer("POST", "everything");
        expect(scene.emulator.extensions.list()).toHaveLength(2);
        scene.declare({ extensions: stays });
        await scene.converge();
        expect(scene.emulator.extensions.list()).toMatchObject([{ id }]);
        // What the sweep undid stays noted until another deployment has ended.
        await scene.converge();
        expect(scene.notesAbout("leaves")).toEqual([]);
        await scene.destroy();
      }),
    testMsMax,
  );

  test.concurrent(
    "13. gives a key its original name again and leaves no note when its first naming was killed and it leaves the program (engine killed)",
    () =>
      Scene.play(async (scene) => {
        scene.declare({ extensions: stays });
        await scene.converge();
        const id = scene.idOf("stays");
        scene.declare({ extensions: stays, ...ci("named by us") });
        await scene.killAfterAnswer("PATCH", "engine");
        expect(scene.emulator.apiKeyRecords.list().map(({ name }) => name)).toContain("named by us");
        scene.declare({ extensions: stays });
        await scene.converge();
        expect(scene.emulator.extensions.list()).toMatchObject([{ id }]);
        await scene.converge();
        expect(scene.notesAbout("named by us")).toEqual([]);
        await scene.destroy();
      }),
    testMsMax,
  );
});

async function downloadFrom({ emulator }: Scene, name: string): Promise<Uint8Array> {
  const client = new BrowserInfraClient({ baseUrl: emulator.url, apiKey: emulator.apiKeys[0] ?? "" });
  return client.extensions.download(name);
}
