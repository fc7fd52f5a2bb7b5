"""Agent: leases a browser of the pool, reads what the extension made of a page, and releases it."""

import sys

from kernel import Kernel
from playwright.sync_api import Page
from shop import open_shop


def read(page: Page) -> None:
    print(f"Read by the extension: {page.text_content('#page-outline')}")


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
        open_shop(browser.cdp_ws_url, read)
    finally:
        kernel.browser_pools.release(pool_id, session_id=browser.session_id)
        print("Released the browser.")


main(sys.argv[1])
