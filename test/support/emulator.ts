import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.js";

/**
 * The emulator of the running test: each test of the file, or of the `describe`, gets a new one.
 * Call it before the hooks that use it. It has nothing until the first test begins.
 */
export function useEmulator(options: EmulatorOptions = {}): Emulator {
  return startedBy(beforeEach, afterEach, options);
}

/** The same for one emulator that all tests of the file, or of the `describe`, share. */
export function shareEmulator(options: EmulatorOptions = {}): Emulator {
  return startedBy(beforeAll, afterAll, options);
}

function startedBy(before: jest.Lifecycle, after: jest.Lifecycle, options: EmulatorOptions): Emulator {
  let running: Emulator;
  before(async () => {
    running = await startEmulator(options);
  });
  after(() => running.close());
  // Tests keep one object, which stands for the emulator that runs.
  return new Proxy({} as Emulator, {
    get: (_target, name) => {
      const member = Reflect.get(running, name);
      return typeof member === "function" ? member.bind(running) : member;
    },
  });
}
