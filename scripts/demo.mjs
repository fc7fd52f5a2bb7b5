// "npm run demo": sets everything up, then tells the main job as a story around a real Pulumi engine: create a browser
// extension from a folder, change it, lose it, repair it, destroy it. Against the emulator, with no key and no internet.
//   --keep    leaves the emulator and the stack up and prints how to go on by hand
//   --login   tells another story: a deployment that waits until you have logged in on a page in your browser
import { createDemo } from "./demo/demo-stack.mjs";
import * as extensionStory from "./demo/extension-story.mjs";
import * as loginStory from "./demo/login-story.mjs";
import { runMain } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";

await runMain(async () => {
  const [argument, ...more] = process.argv.slice(2);
  if (more.length > 0 || ![undefined, "--keep", "--login"].includes(argument)) {
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
});
