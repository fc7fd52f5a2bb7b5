/** A played shop, so that the example needs no account. Replace it by the site of your agent. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const html = `<!doctype html><title>Shop</title><h1></h1><h2>Offers</h2><form><input name="user"><button>Sign in</button></form>
<script>
  document.forms[0].onsubmit = () => { document.cookie = "user=" + document.forms[0].user.value + "; Max-Age=86400"; };
  const user = /user=([^;]+)/.exec(document.cookie)?.[1];
  document.querySelector("h1").textContent = user ? "Welcome, " + user : "Please sign in";
</script>`;

/**
 * Connects to a browser at an address of the Chrome DevTools Protocol (CDP), and opens the shop. Extensions
 * and the profile are in the first context only. Without a browser behind the address, says so.
 */
export async function openShop(address: string, work: (page: Page) => Promise<void>): Promise<void> {
  const { hostname } = new URL(address);
  if (hostname.endsWith(".invalid")) {
    console.log(`The emulator starts no browser: ${hostname.split(".")[0]}.`);
    return;
  }
  const connection: Browser = await chromium.connectOverCDP(address);
  try {
    const context = connection.contexts()[0] as BrowserContext;
    await context.route("https://shop.example/**", (route) =>
      route.fulfill({ contentType: "text/html", body: html }),
    );
    const page = await context.newPage();
    await page.goto("https://shop.example/");
    await work(page);
  } finally {
    await connection.close();
  }
}
