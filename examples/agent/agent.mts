/** Agent: leases a browser of the pool, reads what the extension made of a page, and releases the browser. */
import Kernel from "@onkernel/sdk";
import { openShop } from "./shop.mts";

const [poolId = ""] = process.argv.slice(2);
// The SDK reads the address and the key from KERNEL_BASE_URL and KERNEL_API_KEY.
const kernel = new Kernel();

// Not repeated after a lost response: the second request could lease a second browser.
const wait = { acquire_timeout_seconds: 10 };
const browser = await kernel.browserPools.acquire(poolId, wait, { maxRetries: 0 });

if (browser) {
  console.log(`Leased the browser ${browser.session_id}.`);
  try {
    await openShop(browser.cdp_ws_url, async (page) => {
      console.log(`Read by the extension: ${await page.textContent("#page-outline")}`);
    });
  } finally {
    await kernel.browserPools.release(poolId, { session_id: browser.session_id });
    console.log("Released the browser.");
  }
} else {
  console.error("All browsers of the pool are in use. Try again later, or declare a larger pool.");
  process.exitCode = 1;
}
