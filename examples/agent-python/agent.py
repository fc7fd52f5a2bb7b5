"""Agent: leases a browser of the pool, opens a page, and releases the browser."""

import sys
from urllib.parse import urlsplit

from kernel import Kernel
from playwright.sync_api import sync_playwright


def work(address: str) -> None:
    """Opens a page in the browser at an address of the Chrome DevTools Protocol (CDP)."""
    if (urlsplit(address).hostname or "").endswith(".invalid"):
        print("The emulator plays no browsers, so there is nothing to connect to.")
        return
    with sync_playwright() as playwright:
        connection = playwright.chromium.connect_over_cdp(address)
        page = connection.contexts[0].new_page()
        page.goto("https://example.com")
        print(page.title())
        connection.close()


def main(pool_id: str) -> None:
    # The SDK reads the address and the key from KERNEL_BASE_URL and KERNEL_API_KEY.
    kernel = Kernel()
    # Not repeated after a lost response: the second request could lease a second browser.
    browser = kernel.with_options(max_retries=0).browser_pools.acquire(
        pool_id, acquire_timeout_seconds=10
    )
    if not browser:
        sys.exit("All browsers of the pool are in use. Try again later, or declare a larger pool.")
    print(f"Leased the browser {browser.session_id}.")
    try:
        work(browser.cdp_ws_url)
    finally:
        kernel.browser_pools.release(pool_id, session_id=browser.session_id)
        print("Released the browser.")


main(sys.argv[1])
