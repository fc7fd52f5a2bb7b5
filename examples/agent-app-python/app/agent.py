import os

import kernel

client = kernel.Kernel(api_key=os.environ["POOL_KEY"])
app = kernel.App("shop-agent")


@app.action("lease")
def lease(ctx):
    """Leases a browser of the pool, and returns the session."""
    pool = os.environ["POOL_NAME"]
    browser = client.browser_pools.acquire(pool)
    client.browser_pools.release(pool, session_id=browser.session_id)
    return {"session": browser.session_id}
