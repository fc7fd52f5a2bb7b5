import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";

const running = new Set<Emulator>();
afterAll(() => Promise.all(Array.from(running, (emulator) => emulator.close())));

/** Starts an emulator, which is closed after the last test of the file, if not before. */
export async function newEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  running.add(emulator);
  return emulator;
}

/**
 * The emulator of the running test: each test of the file, or of the `describe`, gets a new one.
 * Call it before the hooks that use it. It has nothing until the first test begins.
 */
export function useEmulator(options: EmulatorOptions = {}): Emulator {
  return startedBy(beforeEach, options);
}

/** The same for one emulator that all tests of the file, or of the `describe`, share. */
export function shareEmulator(options: EmulatorOptions = {}): Emulator {
  return startedBy(beforeAll, options);
}

function startedBy(before: jest.Lifecycle, options: EmulatorOptions): Emulator {
  let current: Emulator | undefined;
  before(async () => {
    // Not after its test, whose own hooks may still need it.
    await current?.close();
    current = await newEmulator(options);
  });
  // Tests keep one object, which stands for the emulator that runs.
  return new Proxy({} as Emulator, {
    get: (_target, name) => {
      const member = Reflect.get(current as Emulator, name);
      return typeof member === "function" ? member.bind(current) : member;
    },
  });
}
