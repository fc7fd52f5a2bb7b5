/**
 * `npm run record`: records a person's terminal of 100 columns as text in docs/: a login that a
 * deployment waits for, create, edit, drift, failure; a followed login; and the demo of a login.
 * Then takes a picture of the page on which a person logs in. Needs tmux and Chromium.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "playwright-core";
import { createDemo } from "./demo/demo-stack.mjs";
import { logInAt } from "./demo/log-in.mjs";
import { findOnPath } from "./setup/process/search-path.mjs";
import { projectFolder } from "./setup/project.mjs";
import { runMain, SetUpError } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";

/** Columns of the terminal. */
const width = 100;
/** Longest duration of a command, in milliseconds. */
const commandMsMax = 300_000;

/** @typedef {import("./demo/demo-stack.mjs").Demo} Demo */

/**
 * @param {import("./setup.mjs").ToolsWithEngine} tools
 * @param {(demo: Demo, terminal: Terminal) => Promise<void>} record
 */
async function withDemo(tools, record) {
  const demo = await createDemo(tools, "login-gate");
  try {
    const terminal = new Terminal(demo.shell);
    try {
      await record(demo, terminal);
    } finally {
      terminal.close();
    }
  } finally {
    await demo.cleanUp();
  }
}

/**
 * @param {Demo} demo
 * @param {Terminal} terminal
 */
async function recordDeployments(demo, terminal) {
  const id = await connect(demo);
  await demo.request("POST", `/auth/connections/${id}/login`);
  await terminal.run(`pulumi config set connectionId ${id}`);

  terminal.type("pulumi up --yes");
  await terminal.shows(/─ to log in, run:/);
  terminal.capture("A deployment that waits for a login");
  await logIn(demo, id);
  await terminal.ends();
  terminal.capture("The same deployment at its end: created");

  demo.edit("extension/content.js", "\n// Edited.\n");
  await terminal.run("pulumi up --yes");
  terminal.capture("A file of the extension was edited");

  for (const { id: extension } of await demo.extensions()) {
    await demo.request("DELETE", `/extensions/${extension}`);
  }
  await terminal.run("pulumi preview --refresh --run-program --diff --expect-no-changes");
  terminal.capture("A drift check, after the extension was deleted without Pulumi");

  demo.edit("extension/manifest.json", "}");
  await terminal.run("pulumi up --yes");
  terminal.capture("A mistake in the manifest, which the preview refuses");

  terminal.save(
    "docs/reference/terminal.txt",
    `The program examples/login-gate in a terminal of ${width} columns, recorded as plain text by "npm run record".
Each part is everything that one command shows; the first one while it runs, and the second one when it has ended.`,
  );
}

/**
 * @param {Demo} demo
 * @param {Terminal} terminal
 */
async function recordFollowing(demo, terminal) {
  const id = await connect(demo);
  terminal.type(`npx browser-infra login follow ${id}`);
  await terminal.shows(/has begun yet/);
  terminal.capture("Before a login has begun");
  await demo.request("POST", `/auth/connections/${id}/login`);
  await terminal.shows(/waiting for/);
  terminal.capture("A person is needed");
  await logIn(demo, id);
  await terminal.ends();
  terminal.capture("At the end");
  terminal.save(
    "docs/logins/login-follow.txt",
    `A login followed in a terminal of ${width} columns, recorded as plain text by "npm run record".
Each part is the whole screen at that moment.`,
  );
}

/** @param {import("./setup.mjs").ToolsWithEngine} tools */
async function recordLoginDemo({ env }) {
  const terminal = new Terminal({ cwd: projectFolder, env });
  try {
    terminal.type("npm run demo -- --login");
    await terminal.shows(/waiting for "Email or username"/);
    terminal.capture("While the deployment waits");
    await logInAt(/To log in at shop\.example, open (\S+)/.exec(terminal.joinedScreen)?.[1] ?? "");
    await terminal.ends();
    terminal.capture("At the end");
  } finally {
    terminal.close();
  }
  terminal.save(
    "docs/logins/login-gate.txt",
    `The demo "npm run demo -- --login" in a terminal of ${width} columns, recorded as plain text by "npm run record".
Each part is everything that was shown by then. The address was opened in between, and a name and a password were typed there.`,
  );
}

/** @param {Demo} demo */
async function recordLoginPage(demo) {
  const executablePath = findOnPath("chromium") ?? findOnPath("google-chrome");
  if (!executablePath) {
    throw new SetUpError("There is no chromium and no google-chrome on PATH.");
  }
  const id = await connect(demo);
  const { hosted_url } = await demo.request("POST", `/auth/connections/${id}/login`);
  // Chromium's sandbox does not work for root, the user in most containers.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    const size = { width: 720, height: 560 };
    const page = await browser.newPage({ viewport: size, deviceScaleFactor: 2, locale: "en-US" });
    await page.goto(hosted_url);
    await page.getByLabel("Email or username").fill("ada@shop.example");
    await page.getByLabel("Password", { exact: true }).fill("any password");
    await page.screenshot({ path: join(projectFolder, "docs/logins/login-page.png") });
  } finally {
    await browser.close();
  }
  console.log("Recorded docs/logins/login-page.png.");
}

/**
 * Creates an auth connection whose login needs a person.
 *
 * @param {Demo} demo
 * @returns {Promise<string>} id.
 */
async function connect(demo) {
  const { id } = await demo.request("POST", "/auth/connections", {
    domain: "shop.example",
    profile_name: "buyer",
  });
  return id;
}

/**
 * Answers the form of a login, like a person on the page.
 *
 * @param {Demo} demo
 * @param {string} id
 */
async function logIn(demo, id) {
  const path = `/auth/connections/${id}`;
  while ((await demo.request("GET", path)).flow_step !== "AWAITING_INPUT") {
    await wait(100);
  }
  await demo.request("POST", `${path}/submit`, { field_values: { username: "ada", password: "any" } });
}

/** Terminal that a script types into. */
class Terminal {
  /** @type {string[]} */
  #parts = [];
  /** Number of the last typed command. */
  #command = 0;

  /** @param {{ cwd: string, env: NodeJS.ProcessEnv }} shell */
  constructor({ cwd, env }) {
    this.socket = `browser-infra-record-${process.pid}`;
    const size = ["-x", String(width), "-y", "60"];
    // The person's settings of tmux and of the shell must not count.
    const quiet = { ...env, npm_config_loglevel: "error" };
    this.#tmux(["-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, "env PS1='$ ' sh"], quiet);
  }

  /** @param {string} command */
  type(command) {
    this.#command += 1;
    this.#tmux(["send-keys", "-R", "clear", "Enter"]);
    this.#tmux(["clear-history"]);
    this.#tmux(["send-keys", "-l", `${command}; echo "exit code $?"`]);
    this.#tmux(["send-keys", "Enter"]);
  }

  /** @param {string} command */
  async run(command) {
    this.type(command);
    await this.ends();
  }

  /** Waits until the command has ended. */
  ends() {
    return this.shows(/^exit code \d+$/m);
  }

  /**
   * Waits until the screen matches.
   *
   * @param {RegExp} pattern
   */
  async shows(pattern) {
    const endsAt = performance.now() + commandMsMax;
    while (!pattern.test(this.screen)) {
      if (performance.now() > endsAt) {
        throw new SetUpError(`The terminal did not show ${pattern}:\n${this.screen}`);
      }
      await wait(200);
    }
  }

  /** Everything since the last command was typed. */
  get screen() {
    return this.#tmux(["capture-pane", "-p", "-S", "-"])
      .replace(/[ \t]+$/gm, "")
      .trim();
  }

  /** Screen with wrapped lines joined. */
  get joinedScreen() {
    return this.#tmux(["capture-pane", "-p", "-J", "-S", "-"]);
  }

  /** @param {string} title */
  capture(title) {
    this.#parts.push(`${`== ${title} `.padEnd(width, "=")}\n${this.screen}\n`);
  }

  /**
   * @param {string} file
   * @param {string} heading
   */
  save(file, heading) {
    writeFileSync(join(projectFolder, file), `${heading}\n\n${this.#parts.join("\n")}`);
    console.log(`Recorded ${file}.`);
  }

  close() {
    this.#tmux(["kill-server"]);
  }

  /**
   * @param {string[]} args
   * @param {NodeJS.ProcessEnv} [env]
   */
  #tmux(args, env = process.env) {
    const { stdout, stderr, status, error } = spawnSync("tmux", ["-L", this.socket, ...args], {
      encoding: "utf8",
      env,
    });
    if (error !== undefined || status !== 0) {
      throw new SetUpError(`tmux failed: ${error?.message ?? stderr}`);
    }
    return stdout;
  }
}

await runMain(async () => {
  const tools = await setUp();
  await withDemo(tools, recordDeployments);
  await withDemo(tools, recordFollowing);
  await withDemo(tools, recordLoginPage);
  await recordLoginDemo(tools);
});
