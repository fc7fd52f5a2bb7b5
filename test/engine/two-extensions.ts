import type { Emulator } from "../../src/emulator/index.js";
import type { Stack } from "./stack.js";

/**
 * Two extensions of one folder that a program declares: one with an automatic and one with a fixed
 * name.
 */
export class TwoExtensions {
  readonly #stack: Stack;
  readonly #emulator: Emulator;

  /** Writes the folder, `extension`, into the program. */
  constructor(stack: Stack, emulator: Emulator) {
    this.#stack = stack;
    this.#emulator = emulator;
    stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
    stack.write("extension/content.js", "// one\n");
  }

  /** Changes a file of the folder. */
  edit(): void {
    this.#stack.write("extension/content.js", `// ${Math.random()}\n`);
  }

  /** The ids in the state. */
  ids(): string[] {
    return this.#stack.extensions().map(({ id }) => id);
  }

  /** The arguments with which `pulumi up` replaces both. */
  replacements(): string[] {
    return this.#stack.extensions().flatMap(({ urn }) => ["--replace", urn]);
  }

  /** None of these ids is in the state. */
  expectNone(of: readonly string[]): void {
    expect(this.ids().filter((id) => of.includes(id))).toEqual([]);
  }

  /** The service contains exactly what the state says, and nothing is left to do. */
  async expectConverged(): Promise<void> {
    const held = this.#emulator.extensions.list().map(({ id, name, checksum }) => ({ id, name, checksum }));
    const declared = this.#stack
      .extensions()
      .map(({ id, outputs }) => ({ id, name: outputs.name, checksum: outputs.checksum }));
    expect(declared).toHaveLength(2);
    expect(held).toHaveLength(2);
    expect(held).toEqual(expect.arrayContaining(declared));
    const { exitCode, output } = await this.#stack.preview("--expect-no-changes");
    expect(`${exitCode} ${output}`).toMatch(/^0 /);
  }
}
