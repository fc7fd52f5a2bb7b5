import { manifest } from "../documents/packed.js";

/** Pulumi's names for the systems and processors that Node names differently. */
const pulumiNames: Readonly<Record<string, string>> = { win32: "windows", x64: "amd64" };

const [os, arch] = [process.platform, process.arch].map((name) => pulumiNames[name] ?? name);

/** Name of the archive with the executable for this machine. */
export const releasedArchive = `pulumi-resource-browser-infra-v${manifest.version}-${os}-${arch}.tar.gz`;

/** Folder with what `npm run package` has made. `npm run test:all -- package` names it. */
export const releaseFolder = process.env.BROWSER_INFRA_TEST_RELEASE ?? "";
