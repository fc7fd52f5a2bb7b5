import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";

const running = new Set<Emulator>();
afterAll(() => Promise.all(Array.from(running, (emulator) => emulator.close())));

/** Starts an emulator, closed at the latest after the last test of the file. */
export async function newEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  running.add(emulator);
  return emulator;
}

/**
 * Emulator of the running test: every test of the file, or of the `describe`, gets a new emulator.
 * Must be called before the hooks that use the emulator. Unusable until the first test begins.
 */
export function useEmulator(options: EmulatorOptions = {}): Emulator {
  return startedBy(beforeEach, options);
}

/** Shared emulator of all tests of the file, or of the `describe`. See {@link useEmulator}. */
export function shareEmulator(options: EmulatorOptions = {}): Emulator {
  return startedBy(beforeAll, options);
}

function startedBy(before: jest.Lifecycle, options: EmulatorOptions): Emulator {
  let current: Emulator | undefined;
  before(async () => {
    // Not closed after the test: hooks of the test may still need the emulator.
    await current?.close();
    current = await newEmulator(options);
  });
  // Tests keep a single object that forwards to the running emulator.
  return new Proxy({} as Emulator, {
    get: (_target, name) => {
      const member = Reflect.get(current as Emulator, name);
      return typeof member === "function" ? member.bind(current) : member;
    },
  });
}
