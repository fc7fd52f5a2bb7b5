/** Agent: leases a browser of the pool, opens a page, and releases the browser. */
import Kernel from "@onkernel/sdk";
import { chromium } from "playwright-core";

const [poolId = ""] = process.argv.slice(2);
// The SDK reads the address and the key from KERNEL_BASE_URL and KERNEL_API_KEY.
const kernel = new Kernel();

// Not repeated after a lost response: the second request could lease a second browser.
const wait = { acquire_timeout_seconds: 10 };
const browser = await kernel.browserPools.acquire(poolId, wait, { maxRetries: 0 });

if (browser) {
  console.log(`Leased the browser ${browser.session_id}.`);
  try {
    await work(browser.cdp_ws_url);
  } finally {
    await kernel.browserPools.release(poolId, { session_id: browser.session_id });
    console.log("Released the browser.");
  }
} else {
  console.error("All browsers of the pool are in use. Try again later, or declare a larger pool.");
  process.exitCode = 1;
}

/** Opens a page in the browser at an address of the Chrome DevTools Protocol (CDP). */
async function work(address: string): Promise<void> {
  if (new URL(address).hostname.endsWith(".invalid")) {
    console.log("The emulator plays no browsers, so there is nothing to connect to.");
    return;
  }
  const connection = await chromium.connectOverCDP(address);
  const [context] = connection.contexts();
  const page = await context?.newPage();
  await page?.goto("https://example.com");
  console.log(await page?.title());
  await connection.close();
}
