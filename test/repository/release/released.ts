import { manifest } from "../documents/packed.js";

/** Pulumi's names of systems and processors, by Node's name if different. */
const pulumiNames: Readonly<Record<string, string>> = { win32: "windows", x64: "amd64" };

const [os, arch] = [process.platform, process.arch].map((name) => pulumiNames[name] ?? name);

/** Name of the archive with the executable for this machine. */
export const releasedArchive = `pulumi-resource-browser-infra-v${manifest.version}-${os}-${arch}.tar.gz`;

/** Folder with the output of `npm run package`. Set by `npm run test:all -- package`. */
export const releaseFolder = process.env.BROWSER_INFRA_TEST_RELEASE ?? "";
