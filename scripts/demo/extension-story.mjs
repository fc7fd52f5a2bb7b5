import { chromium } from "playwright-core";
import { heading, say } from "./story.mjs";

/** Example that the story deploys. */
export const example = "quickstart";

/**
 * Creates an extension from a folder, then changes, loses, repairs and destroys the extension.
 *
 * @param {import("./demo-stack.mjs").Demo} demo
 * @param {{ keep: boolean }} options `keep`: ends after the repair.
 */
export async function tell(demo, { keep }) {
  heading("1. Create");
  say("A Pulumi program declares one browser extension: the folder ./extension.");
  say("Our emulator plays the service. The engine, the provider and every request are real.");
  await demo.pulumi("up", "--yes");

  await readInBrowser(demo);

  heading("2. Nothing changed");
  say("The provider reads the folder again and knows its content. It packs nothing and sends nothing.");
  await demo.pulumi("up", "--yes", "--expect-no-changes");

  heading("3. One file is edited");
  say("content.js gets one more line. The preview names the file and both checksums.");
  say("The new extension exists before the old one goes.");
  demo.edit("extension/content.js", "\n// Edited by the demo.\n");
  await demo.pulumi("up", "--yes", "--diff");

  heading("4. Somebody deletes it behind our back");
  const [lost] = await demo.extensions();
  if (lost === undefined) {
    throw new Error("The deployment left no extension in the service.");
  }
  say(`DELETE /extensions/${lost.name}, without Pulumi. A drift check finds it and changes nothing:`);
  await demo.request("DELETE", `/extensions/${lost.id}`);
  const drift = await demo.pulumiExpectingFailure(
    "preview",
    "--refresh",
    "--run-program",
    "--diff",
    "--expect-no-changes",
  );
  say(`Exit code ${drift}: there are changes, although none were expected. A pipeline stops here.`);

  heading("5. Repair");
  say("Deploying the same program again restores it: same bytes, same checksum, same name.");
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
    'Next: the program is in examples/quickstart. "npm run demo -- --keep" keeps all of this running for you, ' +
      'and "npm run demo -- --login" holds a deployment until you have logged in.',
  );
}

/**
 * Opens a page in a browser of the emulator, and shows what the deployed extension has made of the page.
 *
 * @param {import("./demo-stack.mjs").Demo} demo
 */
async function readInBrowser({ browser, extensions, request }) {
  if (browser === null) {
    say("This machine has no Chromium and no Chrome, so no browser shows the extension at work.");
    return;
  }
  const [extension] = await extensions();
  const body = { headless: true, extensions: [{ id: extension?.id }] };
  const session = await request("POST", "/browsers", body);
  const connection = await chromium.connectOverCDP(session.cdp_ws_url);
  const page = await connection.contexts()[0]?.newPage();
  await page?.route("https://shop.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Shop</h1><h2>Offers</h2>" }),
  );
  await page?.goto("https://shop.example/");
  const outline = await page?.textContent("#page-outline");
  say(`In a browser of the emulator, the extension reads a page: ${outline}`);
  await connection.close();
  await request("DELETE", `/browsers/${session.session_id}`);
}
