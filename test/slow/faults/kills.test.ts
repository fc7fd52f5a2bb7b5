import { BrowserInfraClient } from "../../../src/client/index.js";
import { Scene } from "../../stacks/kills/scene.js";

/** Several run at once, and each runs the command some six times. Milliseconds. */
const testMsMax = 300_000;

/** A program with the extension "reader", under an automatic name unless it has a fixed one. */
function reader(content: number, name?: string) {
  return { extensions: { reader: { content, name } } };
}

/** A resource that stays in the program, unchanged. */
const stays = { stays: { content: 0 } };

function story(title: string, play: (scene: Scene) => Promise<void>): void {
  test.concurrent(title, () => Scene.play(play), testMsMax);
}

/** What the contract of every kind leaves out: `destroy` as the next command, and what is kept. */
describe("a deployment that is killed between the service's answer and the state, with the real engine", () => {
  story(
    "leaves no orphan when an upload under an automatic name was killed and other content is deployed with --refresh (engine killed)",
    async (scene) => {
      scene.declare(reader(1));
      await scene.converge();
      scene.declare(reader(2));
      await scene.killAfterAnswer("POST", "engine");
      scene.declare(reader(3));
      await scene.converge({ refresh: true });
      await scene.destroy();
    },
  );

  story(
    "leaves nothing when an upload under an automatic name was killed and everything is destroyed (everything killed)",
    async (scene) => {
      scene.declare(reader(1));
      await scene.converge();
      scene.declare(reader(2));
      await scene.killAfterAnswer("POST", "everything");
      scene.declare(reader(3));
      await scene.destroy();
    },
  );

  story(
    "leaves nothing when an upload under a fixed name was killed and everything is destroyed (everything killed)",
    async (scene) => {
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
    },
  );

  story(
    "has the old content again when a replacement under a fixed name was killed after its deletion and the program is reverted (engine killed)",
    async (scene) => {
      const { emulator } = scene;
      const download = () =>
        new BrowserInfraClient({
          baseUrl: emulator.url,
          apiKey: emulator.apiKeys[0] ?? "",
        }).extensions.download("page-reader");
      scene.declare(reader(1, "page-reader"));
      await scene.converge();
      const lastVersion = await download();
      scene.declare(reader(2, "page-reader"));
      await scene.killAfterAnswer("DELETE", "engine");
      expect(emulator.extensions.list()).toEqual([]);
      scene.declare(reader(1, "page-reader"));
      await scene.converge();
      expect(await download()).toEqual(lastVersion);
      await scene.destroy();
    },
  );

  story(
    "loses no saved archive before everything is destroyed when a replacement under a fixed name was killed after its deletion (everything killed)",
    async (scene) => {
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
    },
  );

  story(
    "leaves no orphan and no note when the first upload of a resource was killed and it leaves the program (everything killed)",
    async (scene) => {
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
    },
  );

  story(
    "gives a key its original name again and leaves no note when its first naming was killed and it leaves the program (engine killed)",
    async (scene) => {
      scene.declare({ extensions: stays });
      await scene.converge();
      scene.declare({ extensions: stays, keys: { ci: "named by us" } });
      await scene.killAfterAnswer("PATCH", "engine");
      expect(scene.emulator.apiKeyRecords.list().map(({ name }) => name)).toContain("named by us");
      scene.declare({ extensions: stays });
      await scene.converge();
      await scene.converge();
      expect(scene.notesAbout("named by us")).toEqual([]);
      await scene.destroy();
    },
  );
});
