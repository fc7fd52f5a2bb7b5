import { kinds, programInputsOf, type ResourceKind, resourceKinds } from "../../../src/bridges/kinds.js";
import type { Properties } from "../../bridges/wire-messages.js";
import { furnish, kinds as sampled, samples } from "../../contract/rows/samples.js";
import { newEmulator } from "../../support/emulator.js";
import { errorOf } from "../../support/error-of.js";
import { PlayedProgram } from "../played-program.js";

/** Kinds with a name that take no `adopt`, because. */
const notBecause: Partial<Record<ResourceKind, string>> = {
  ApiKey: "only the response to the creation contains the secret",
  ApiKeyName: "the resource borrows an existing key by its id",
  Proxy: "no read shows the password or the certificates, so an existing proxy may not be as declared",
};

const adopts = (kind: ResourceKind) => "adopt" in programInputsOf(kinds[kind]);

/** An `Extension` and an `AppDeployment` are replaced where others are changed; see their tests. */
const ofCore = sampled.filter((kind) => adopts(kind) && !["Extension", "AppDeployment"].includes(kind));

/** Inputs that no change of an object made from `first` leads to, with the input that differs. */
const unreachable: Partial<Record<ResourceKind, readonly [inputs: Properties, differing: string]>> = {
  BrowserPool: [{ name: "crew", size: 1, region: "eu-west" }, "region"],
  Credential: [{ name: "shop", domain: "other.example", values: { password: "one" } }, "domain"],
};

describe("adopt", () => {
  test("every kind with a name takes adopt, or has a reason", () => {
    const named = resourceKinds.filter((kind) => "name" in programInputsOf(kinds[kind]));
    expect(named.filter((kind) => !adopts(kind)).sort()).toEqual(Object.keys(notBecause).sort());
  });

  describe.each(ofCore)("%s", (kind) => {
    const { first, changed = first, found, declared } = samples[kind];
    const name = String(first.name);

    /** Program of others with an object of the kind, and a program on the same service. */
    async function start() {
      const emulator = await newEmulator();
      furnish(emulator);
      const before = found(emulator);
      const owner = new PlayedProgram(emulator, kind);
      await owner.up(first);
      return { emulator, owner, program: new PlayedProgram(emulator, kind), before };
    }

    test("the object that adopt names by id or name becomes as declared, and is deleted with the resource", async () => {
      const { emulator, owner, program, before } = await start();
      const { id } = owner.stored;
      const inputs = { ...changed, adopt: name };
      expect(await program.preview(inputs)).toMatchObject({ failures: [], warnings: [] });
      expect(program.messages.join()).toContain(`"${name}" (${id})`);
      expect(await program.up(inputs)).toBe("create");
      expect(program.stored.id).toBe(id);
      expect(found(emulator)).toMatchObject(declared(changed, program.stored, "agents"));
      expect(await program.up(inputs)).toBe("same");
      expect(await program.up(changed)).toMatch(/same|update/);
      program.forget();
      expect(await program.up({ ...changed, adopt: id })).toBe("create");
      expect(program.stored.id).toBe(id);
      await program.destroy();
      expect(found(emulator)).toEqual(before);
    });

    test("an adopt that names nothing fails in preview and deployment, and creates nothing", async () => {
      const { emulator, program, owner, before } = await start();
      await owner.destroy();
      const inputs = { ...first, adopt: "somebody-elses" };
      expect((await errorOf(program.up(inputs))).message).toContain('"somebody-elses" to adopt');
      const { failures } = await program.preview(inputs);
      expect(failures).toEqual([expect.stringContaining('"somebody-elses" to adopt')]);
      expect(found(emulator)).toEqual(before);
    });

    test("an object without adopt is not taken over, and the error names adopt", async () => {
      const { program, owner } = await start();
      const error = await errorOf(program.up(first));
      expect(error.message).toContain(`add adopt: "${owner.stored.id}"`);
    });

    test("adopt needs a name, and two resources cannot adopt one object", async () => {
      const { program } = await start();
      const { name: _name, ...others } = first;
      expect(await program.failures({ ...others, adopt: name })).toEqual([
        expect.stringContaining('"adopt" needs "name"'),
      ]);
      const rival = { ...first, name: "rival", adopt: name };
      const error = await errorOf(program.up({ ...first, adopt: name }, { others: { rival } }));
      expect(error.message).toContain("already belongs to another resource of this program");
    });

    const [inputs, differing = ""] = unreachable[kind] ?? [];
    if (inputs !== undefined) {
      test("an object that no change makes as declared is not adopted, and the error says what differs", async () => {
        const { emulator, program } = await start();
        const before = found(emulator);
        const error = await errorOf(program.up({ ...inputs, adopt: name }));
        expect(error).toMatchObject({
          code: "adoption_refused",
          message: expect.stringContaining(differing),
        });
        expect(found(emulator)).toEqual(before);
      });
    }
  });
});
