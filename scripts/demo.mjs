/**
 * `npm run demo`: sets everything up, then shows the main task with a real Pulumi engine: create a
 * browser extension from a folder, change, lose, repair and destroy the extension. Uses the
 * emulator, without a key and without the internet.
 *
 *   --keep    keeps the emulator and the stack, and prints how to continue by hand
 *   --login   shows a second task: a deployment that waits until you have logged in on a web page
 */
import { createDemo } from "./demo/demo-stack.mjs";
import * as extensionStory from "./demo/extension-story.mjs";
import * as loginStory from "./demo/login-story.mjs";
import { runMain } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";

await runMain(async () => {
  const [argument, ...more] = process.argv.slice(2);
  if (more.length > 0 || (argument !== undefined && !["--keep", "--login"].includes(argument))) {
    const given = process.argv.slice(2).join(" ");
    console.error(`Unknown arguments "${given}". Usage: npm run demo [-- --keep | -- --login]`);
    return 2;
  }
  const keep = argument === "--keep";
  const story = argument === "--login" ? loginStory : extensionStory;
  const demo = await createDemo(await setUp(), story.example);
  let left = false;
  try {
    await story.tell(demo, { keep });
    left = keep;
  } finally {
    if (!left) {
      await demo.cleanUp();
    }
  }
  return 0;
});
