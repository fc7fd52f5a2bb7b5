import { packExtension } from "../../src/archive/index.js";
import type { Emulator, FaultAction, FaultPoint } from "../../src/emulator/index.js";
import { startService } from "./service.js";
import { Stack } from "./stack.js";

/**
 * Runs of each fault, distributed over the writes in turn: with four, each fault meets each write;
 * with one, each write meets a fault.
 */
const runs = Number(process.env.BROWSER_INFRA_TEST_RUNS ?? 1);

/** How the reply to a write is lost. `null`: the process group of the command is killed instead. */
const faults: Readonly<Record<string, readonly [FaultPoint, FaultAction | null]>> = {
  "reset before the request is read": ["before-reading", "reset"],
  "reset after the commit": ["after-commit", "reset"],
  "answered 500 after the commit": ["after-commit", { answer: { status: 500 } }],
  "never answered": ["while-answering", "hang"],
  "answered in part": ["while-answering", { truncateAfterBytes: 0 }],
  "followed by SIGKILL of every process": ["after-commit", null],
};

/** A write, and the program that causes it. */
interface Write {
  readonly method: "POST" | "DELETE";
  readonly name?: string;
  /** Whether something is deployed before. */
  readonly isReplacement: boolean;
}

const writes: Readonly<Record<string, Write>> = {
  "the upload of a new extension": { method: "POST", isReplacement: false },
  "the upload that replaces one with an automatic name": { method: "POST", isReplacement: true },
  "the upload that replaces one with a fixed name": {
    method: "POST",
    name: "reader",
    isReplacement: true,
  },
  "the deletion of the old one": { method: "DELETE", isReplacement: true },
};

const cells = Object.keys(faults).flatMap((fault, faultIndex) =>
  Array.from({ length: runs }, (_, run) => {
    const names = Object.keys(writes);
    const write = names[(run + faultIndex) % names.length] ?? "";
    return { fault, write, run: run + 1 };
  }),
);

describe("a lost reply, with the real engine", () => {
  test.concurrent.each(cells)(
    "leaves exactly one extension after the next deployment: $write, $fault (run $run)",
    async ({ fault, write }) => {
      const { emulator, environment } = await startService();
      const stack = await Stack.createYaml(environment);
      try {
        await loseAnswer(stack, emulator, fault, write);
      } finally {
        stack.remove();
        await emulator.close();
      }
    },
    // Several run at once, and each looks for its lost write for up to 15 s.
    180_000,
  );
});

/** The program after one whose state was not written: what it does with the extension. */
const nexts: Readonly<Record<string, (stack: Stack, properties: Properties) => void>> = {
  "the same program": (stack, properties) => declareReader(stack, properties),
  "the one before": (stack, properties) => {
    stack.write("extension/content.js", "// one\n");
    declareReader(stack, properties);
  },
  "another one": (stack, properties) => {
    stack.write("extension/content.js", "// three\n");
    declareReader(stack, properties);
  },
  "one without the resource": (stack) => stack.declare({ stays }),
};

const unwritten = Object.keys(writes).flatMap((write, index) =>
  Object.keys(nexts)
    // Before a new extension there is none.
    .filter((next) => writes[write]?.isReplacement === true || next !== "the one before")
    .filter((_, next) => runs > 1 || next === index)
    .map((next) => ({ write, next })),
);

describe("a state that the engine could not write", () => {
  test.concurrent.each(unwritten)(
    "leaves no extension that is not told: $write, answered but not written to the state (then $next)",
    async ({ write, next }) => {
      const { emulator, environment } = await startService();
      const stack = await Stack.createYaml(environment);
      try {
        await loseState(stack, emulator, writes[write] as Write, next);
      } finally {
        stack.remove();
        await emulator.close();
      }
    },
    180_000,
  );
});

async function loseState(stack: Stack, emulator: Emulator, { name, isReplacement }: Write, next: string) {
  const properties = { path: "./extension", name };
  stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
  stack.write("extension/content.js", "// one\n");
  if (isReplacement) {
    declareReader(stack, properties);
  } else {
    stack.declare({ stays });
  }
  await stack.up();
  declareReader(stack, properties);
  stack.write("extension/content.js", "// two\n");
  const { exitCode, output } = await stack.losingState("up", "--yes", "--skip-preview");
  expect(`${exitCode} ${output}`).toMatch(/^0 /);

  nexts[next]?.(stack, properties);
  const said = await stack.up();
  const inState = stack.extensions().map(({ id }) => id);
  const untold = emulator.extensions
    .list()
    .filter(({ id }) => !inState.includes(id) && !said.includes(`extensions delete ${id}`));
  expect(untold).toEqual([]);
  for (const { id, outputs } of stack.extensions()) {
    const { checksum } = await packExtension(stack.path("extension"));
    expect(outputs.checksum).toBe(checksum);
    expect(emulator.extensions.list()).toContainEqual(expect.objectContaining({ id, checksum }));
  }
  expect(inState).toHaveLength(next === "one without the resource" ? 0 : 1);
  const preview = await stack.preview("--expect-no-changes");
  expect(`${preview.exitCode} ${preview.output}`).toMatch(/^0 /);
}

type Properties = { readonly path: string; readonly name: string | undefined };

/** A resource that stays in every program: with nothing of ours, the engine starts no provider. */
const stays = { type: "Project", properties: { name: "stays" } } as const;

function declareReader(stack: Stack, properties: Properties): void {
  stack.declare({ stays, reader: { type: "Extension", properties } });
}

async function loseAnswer(stack: Stack, emulator: Emulator, fault: string, write: string): Promise<void> {
  const { method, name, isReplacement } = writes[write] as Write;
  const [at, action] = faults[fault] as readonly [FaultPoint, FaultAction | null];
  const hangs = action === "hang";
  // A request without a reply would otherwise take a minute and more.
  const options = hangs ? { customTimeouts: { create: "3s", delete: "3s" } } : {};
  stack.write("extension/manifest.json", '{ "manifest_version": 3, "name": "Reader", "version": "1.0.0" }');
  const properties = { path: "./extension", name };
  stack.declare({ reader: { type: "Extension", properties, options } });
  if (isReplacement) {
    await stack.up();
    stack.write("extension/content.js", "// two\n");
  }

  const struck = emulator.faults.add({
    method,
    path: "/extensions",
    at,
    action: action ?? { call: () => running.kill() },
  });
  const running = stack.start("up", "--yes", "--skip-preview");
  const { output } = await running.ended;
  expect(`${struck.hits} ${output}`).toMatch(/^1 /);

  if (action === null) {
    // The file backend's lock survives its owner, and the engine says so.
    expect((await stack.run("up", "--yes", "--skip-preview")).output).toContain("pulumi cancel");
    await stack.succeed("cancel", "--yes");
  }
  await stack.up();
  const { checksum } = await packExtension(stack.path("extension"));
  const { id, outputs } = stack.extension();
  expect(outputs.checksum).toBe(checksum);
  expect(emulator.extensions.list()).toMatchObject([{ id, name: outputs.name, checksum }]);
  const preview = await stack.preview("--expect-no-changes");
  expect(`${preview.exitCode} ${preview.output}`).toMatch(/^0 /);
}
