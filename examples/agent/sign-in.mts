/** Signs in once, in a session that saves the profile: browsers of a pool load the profile and save nothing. */
import Kernel from "@onkernel/sdk";
import { openShop } from "./shop.mts";

const [profile = "agents", user = "ada"] = process.argv.slice(2);
// The SDK reads the address and the key from KERNEL_BASE_URL and KERNEL_API_KEY.
const kernel = new Kernel();

// Not repeated after a lost response: the second request could start a second browser.
const wanted = { headless: true, profile: { name: profile, save_changes: true } };
const session = await kernel.browsers.create(wanted, { maxRetries: 0 });
try {
  await openShop(session.cdp_ws_url, async (page) => {
    await page.fill("input", user);
    await page.click("button");
    await page.waitForFunction("document.querySelector('h1').textContent.startsWith('Welcome')");
    console.log(`Signed in as ${user}.`);
  });
} finally {
  // The end of the session saves the profile.
  await kernel.browsers.deleteByID(session.session_id);
}
