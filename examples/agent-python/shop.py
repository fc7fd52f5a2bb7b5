"""A played shop, so that the example needs no account. Replace it by the site of your agent."""

from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright

HTML = """<!doctype html><title>Shop</title><h1></h1><h2>Offers</h2>
<form><input name="user"><button>Sign in</button></form>
<script>
  document.forms[0].onsubmit = () => {
    document.cookie = "user=" + document.forms[0].user.value + "; Max-Age=86400";
  };
  const user = /user=([^;]+)/.exec(document.cookie)?.[1];
  document.querySelector("h1").textContent = user ? "Welcome, " + user : "Please sign in";
</script>"""


def open_shop(address: str, work: Callable[[Page], None]) -> None:
    """Connects to a browser at an address of the Chrome DevTools Protocol, and opens the shop.

    Extensions and the profile are in the first context only. Without a browser behind the address,
    says so.
    """
    host = urlsplit(address).hostname or ""
    if host.endswith(".invalid"):
        print(f"The emulator starts no browser: {host.split('.')[0]}.")
        return
    with sync_playwright() as playwright:
        connection = playwright.chromium.connect_over_cdp(address)
        context = connection.contexts[0]
        context.route(
            "https://shop.example/**",
            lambda route: route.fulfill(content_type="text/html", body=HTML),
        )
        page = context.new_page()
        page.goto("https://shop.example/")
        work(page)
        connection.close()
