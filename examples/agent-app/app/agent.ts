// @ts-nocheck: the service installs the dependencies and builds this file.
import { Kernel } from "@onkernel/sdk";

const { POOL_NAME, PROJECT_ID, POOL_KEY } = process.env;
const kernel = new Kernel({ apiKey: POOL_KEY, projectID: PROJECT_ID });
const app = kernel.app("shop-agent");

/** Leases a browser of the pool, and returns the session. */
app.action("lease", async () => {
  const browser = await kernel.browserPools.acquire(POOL_NAME, {});
  await kernel.browserPools.release(POOL_NAME, { session_id: browser.session_id });
  return { session: browser.session_id };
});
