import { heading, say } from "./story.mjs";

/** The example that is deployed. */
export const example = "login-gate";

/** A deployment that stands still until the person who runs it has logged in on a page in the browser. */
export async function tell(demo) {
  heading("1. A login begins");
  say("Our emulator plays the service, and the website too: a shop that wants a name and a password.");
  say('It logs the browser profile "buyer" in at shop.example, and needs a person for that: you.');
  const connection = await demo.request("POST", "/auth/connections", {
    domain: "shop.example",
    profile_name: "buyer",
  });
  await demo.request("POST", `/auth/connections/${connection.id}/login`);

  heading("2. Deploy");
  say("A Pulumi program declares a login to wait for, and an extension that depends on it.");
  say("The deployment will stand still and show an address. Open it in a browser on this machine,");
  say("type any name and any password there, and watch this terminal. Ctrl-C gives up.");
  // Line by line: the live table of an interactive run holds every lasting line back, and so the address, until its end.
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
  say(`In the service: ${extensions.length} extension, made after the login; the profile is ${status}.`);

  heading("4. Destroy");
  say("The extension goes. The connection is not the program's, so the profile stays logged in.");
  await demo.pulumi("destroy", "--yes", "--skip-preview", "--non-interactive");
  await demo.expectNothingLeft();
  say("");
  say("Next: the program is in examples/login-gate.");
}
