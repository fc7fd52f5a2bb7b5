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
  // Tests keep this object. What it has are the members of the emulator that runs.
  const running = {} as Emulator;
  before(async () => {
    Object.setPrototypeOf(running, await startEmulator(options));
  });
  after(() => running.close());
  return running;
}
