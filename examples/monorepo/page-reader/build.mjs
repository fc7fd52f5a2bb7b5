// Stands for the bundler of your extension: whatever writes the unpacked extension to dist.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
mkdirSync("dist", { recursive: true });
copyFileSync("content.js", "dist/content.js");
const manifest = {
  manifest_version: 3,
  name: "Page Reader",
  version,
  content_scripts: [{ matches: ["http://*/*", "https://*/*"], js: ["content.js"] }],
};
writeFileSync("dist/manifest.json", JSON.stringify(manifest, null, 2));
