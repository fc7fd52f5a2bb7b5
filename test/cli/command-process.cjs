// Runs one command line after the other, with or without a terminal, and reports how each ended.
// It is a separate process because Jest cannot load the library for options. It runs many commands
// because starting takes longer than running.
const { PassThrough, Writable } = require("node:stream");
const { run } = require("../../dist/cli/program.js");

process.on("message", async ({ args, env, terminal, answer, keys = [], cwd }) => {
  if (cwd !== undefined) {
    process.chdir(cwd);
  }
  const text = { out: "", err: "" };
  const stdin = Object.assign(new PassThrough(), { isTTY: terminal !== undefined, setRawMode: () => {} });
  const pressed = [...keys];
  const respond = () => {
    if (answer === "SIGINT") {
      process.kill(process.pid, answer);
    } else if (answer === undefined) {
      stdin.end();
    } else {
      stdin.write(`${answer}\n`);
    }
  };
  const output = (name) =>
    Object.assign(
      new Writable({
        write: (chunk, _encoding, done) => {
          text[name] += chunk;
          if (String(chunk).endsWith("[y/N] ")) {
            respond();
          } else if (pressed.length > 0 && String(chunk).includes("◆")) {
            // A person needs longer than the list needs to listen.
            setImmediate(() => stdin.write(pressed.shift()));
          }
          done();
        },
      }),
      terminal === undefined ? {} : { isTTY: true, columns: terminal, getColorDepth: () => 8 },
    );
  const exitCode = await run(args, { stdin, stdout: output("out"), stderr: output("err"), env });
  process.send({ exitCode, ...text });
});
