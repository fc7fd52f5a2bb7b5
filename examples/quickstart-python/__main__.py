"""A browser extension, declared as a folder."""

import pulumi
import pulumi_browser_infra as browser_infra

# Pulumi packs, hashes and uploads this folder, and replaces the extension when any byte changes.
reader = browser_infra.Extension("page-reader", path="./extension")

# The id to start a browser with.
pulumi.export("extensionId", reader.id)
pulumi.export("extensionName", reader.name)
pulumi.export("checksum", reader.checksum)
