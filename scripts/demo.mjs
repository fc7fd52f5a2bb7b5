// "npm run demo": sets everything up, then tells the main job as a story around a real Pulumi engine: create a browser
// extension from a folder, change it, lose it, repair it, destroy it. Against the emulator, with no key and no internet.
//   --keep   leaves the emulator and the stack up and prints how to go on by hand
import { createDemo } from "./demo/demo-stack.mjs";
import { heading, say } from "./demo/story.mjs";
import { runMain } from "./setup/set-up-error.mjs";
import { setUp } from "./setup.mjs";

const keep = process.argv.includes("--keep");

await runMain(async () => {
  const unknownArgument = process.argv.slice(2).find((argument) => argument !== "--keep");
  if (unknownArgument !== undefined) {
    console.error(`Unknown argument "${unknownArgument}". Usage: npm run demo [-- --keep]`);
    return 2;
  }
  const tools = await setUp();
  const demo = await createDemo(tools);
  let left = false;
  try {
    await tell(demo);
    left = keep;
  } finally {
    if (!left) {
      await demo.cleanUp();
    }
  }
});

async function tell(demo) {
  heading("1. Create");
  say("A Pulumi program declares one browser extension: the folder ./extension.");
  say("Our emulator plays the service. The engine, the provider and every request are real.");
  await demo.pulumi("up", "--yes");

  heading("2. Nothing changed");
  say("The folder is read again; its content is known. Nothing is packed, nothing is sent.");
  await demo.pulumi("up", "--yes", "--expect-no-changes");

  heading("3. One file is edited");
  say("content.js gets one more line. The preview names the file and both checksums.");
  say("The new extension stands before the old one goes.");
  demo.edit("extension/content.js", "\n// Edited by the demo.\n");
  await demo.pulumi("up", "--yes", "--diff");

  heading("4. Somebody deletes it behind our back");
  const [lost] = await demo.extensions();
  say(`DELETE /extensions/${lost.name}, sent past Pulumi. A drift check finds it without changing a thing:`);
  await demo.deleteBehindOurBack(lost.id);
  const drift = await demo.pulumiExpectingFailure(
    "preview",
    "--refresh",
    "--run-program",
    "--diff",
    "--expect-no-changes",
  );
  say(`Exit code ${drift}: changes where none were expected. A pipeline stops here.`);

  heading("5. Repair");
  say("The same program, deployed again, puts it back: same bytes, same checksum, same name.");
  await demo.pulumi("up", "--yes", "--refresh", "--run-program");

  if (keep) {
    demo.explainHowToGoOn();
    return;
  }

  heading("6. Destroy");
  await demo.pulumi("destroy", "--yes");

  heading("7. What is left");
  const left = await demo.extensions();
  if (left.length > 0) {
    throw new Error(`The service still holds ${left.length} extensions.`);
  }
  say(`In the service: ${left.length} extensions. In the stack: ${demo.resourcesInState()} resources.`);
  say("");
  say(
    'Next: the program is in examples/quickstart. "npm run demo -- --keep" leaves all of this running for you.',
  );
}
