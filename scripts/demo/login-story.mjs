import { heading, say } from "./story.mjs";

/** Example that the story deploys. */
export const example = "login-gate";

/**
 * Deployment that waits until the user has logged in on a web page.
 *
 * @param {import("./demo-stack.mjs").Demo} demo
 */
export async function tell(demo) {
  heading("1. A login begins");
  say("Our emulator plays the service, and also the website: a shop that asks for a name and a password.");
  say('It logs the browser profile "buyer" in at shop.example, and needs a person for that: you.');
  const connection = await demo.request("POST", "/auth/connections", {
    domain: "shop.example",
    profile_name: "buyer",
  });
  await demo.request("POST", `/auth/connections/${connection.id}/login`);

  heading("2. Deploy");
  say("A Pulumi program declares a login to wait for, and an extension that depends on it.");
  say("The deployment will wait and show an address. Open it in a browser on this machine,");
  say("enter any name and any password there, and watch this terminal. Ctrl-C gives up.");
  // Not interactive: the live table of an interactive run shows permanent lines, including the
  // address, only at the end.
  await demo.pulumi(
    "up",
    "--yes",
    "--skip-preview",
    "--non-interactive",
    "--config",
    `connectionId=${connection.id}`,
  );

  heading("3. After the login");
  const { status } = await demo.request("GET", `/auth/connections/${connection.id}`);
  const extensions = await demo.extensions();
  say(`In the service: ${extensions.length} extension, created after the login; the profile is ${status}.`);

  heading("4. Destroy");
  say("The extension goes. The connection does not belong to the program, so the profile stays logged in.");
  await demo.pulumi("destroy", "--yes", "--skip-preview", "--non-interactive");
  await demo.expectNothingLeft();
  say("");
  say("Next: the program is in examples/login-gate.");
}
