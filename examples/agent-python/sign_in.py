"""Signs in once, in a session that saves the profile: a pool loads its profile and saves nothing."""

import sys

from kernel import Kernel
from playwright.sync_api import Page
from shop import open_shop


def sign_in(page: Page, user: str) -> None:
    page.fill("input", user)
    page.click("button")
    page.wait_for_function("document.querySelector('h1').textContent.startsWith('Welcome')")
    print(f"Signed in as {user}.")


def main(profile: str, user: str) -> None:
    # The SDK reads the address and the key from KERNEL_BASE_URL and KERNEL_API_KEY.
    kernel = Kernel()
    # Not repeated after a lost response: the second request could start a second browser.
    session = kernel.with_options(max_retries=0).browsers.create(
        headless=True, profile={"name": profile, "save_changes": True}
    )
    try:
        open_shop(session.cdp_ws_url, lambda page: sign_in(page, user))
    finally:
        # The end of the session saves the profile.
        kernel.browsers.delete_by_id(session.session_id)


main(*sys.argv[1:], *["agents", "ada"][len(sys.argv) - 1 :])
