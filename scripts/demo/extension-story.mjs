import { heading, say } from "./story.mjs";

/** The example that is deployed. */
export const example = "quickstart";

/** Create an extension from a folder, change it, lose it, repair it, destroy it. `keep`: leaves it as repaired. */
export async function tell(demo, { keep }) {
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
  await demo.request("DELETE", `/extensions/${lost.id}`);
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
  await demo.expectNothingLeft();
  say("");
  say(
    'Next: the program is in examples/quickstart. "npm run demo -- --keep" leaves all of this running for you, ' +
      'and "npm run demo -- --login" holds a deployment until you have logged in.',
  );
}
