import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArchive, readExtension } from "../../../src/archive/index.js";
import { decodeName, pathProblem } from "../../../src/archive/rules/entry-name.js";
import { compileExclude } from "../../../src/archive/rules/exclude.js";
import { neverShipReason } from "../../../src/archive/rules/never-ship.js";
import { secretsOfFolder } from "../../../src/archive/rules/secrets.js";
import { locateExtension } from "../../../src/archive/source/location.js";
import { apiKeyIdProblem, apiKeyNameProblem, extensionNameProblem } from "../../../src/client/names.js";
import { checkApiKey, checkProjectId, parseBaseUrl, resolveSettings } from "../../../src/config.js";
import { BrowserInfraError } from "../../../src/errors.js";
import { browserPoolFailures } from "../../../src/providers/browsers/browser-pool/input-failures.js";
import { parseExtensionInputs } from "../../../src/providers/browsers/extension/properties.js";
import { loginFlowFailures } from "../../../src/providers/logins/login-flow/properties.js";
import { apiKeyFailures } from "../../../src/providers/organization/api-key/properties.js";
import { apiKeyNameFailures } from "../../../src/providers/organization/api-key-name/properties.js";
import { craftedZip } from "../../archive/source/crafted-zip.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Most CPU time for a megabyte of text, in milliseconds. */
const costMaxMs = 100;

/** Tested lengths, shorter first: with an explosion of time, a megabyte could take days. */
const lengths = [8_000, 90_000, 1_000_000];

/** Maximum factor of the time for ten times the length. Quadratic time has the factor 100. */
const growthMax = 40;

/** Pieces that, repeated, make patterns and parsers try many ways. */
const pieces = [
  "/*",
  ...["a", "A", "0", " ", "\t", "\n", ".", "/", "*", "?", "{", "[", "(", "\\", "-", "~", "#", "%", "@"],
  ...["\0", "é", "\u202e", "\ud800", "../", "a/", "**/", "{a,", "%2e/", "1s", "1.", "***", "a."],
  ...["sk_1", " sk_1", " bearer\t", " eyJ-.", ".pem.bak", ".1", "_history", "__MSG_a__"],
  ...["PRIVATE KEY", "PRIVATE KEY----", "https://a@", "e\u0301"],
];

/**
 * The additional character makes a pattern that has matched the whole text fail at the very end.
 */
const texts = pieces.map((piece) => ({
  piece,
  of: (length: number) => `${piece.repeat(length / piece.length)}!`,
}));

const apiKey = "sk_live_0123456789abcdef";
const programFolder = temporaryFolder();
const setting = (name: string, value: string) => ({
  environment: { BROWSER_INFRA_API_KEY: apiKey, BROWSER_INFRA_BASE_URL: "https://a.example", [name]: value },
});

/** Reads an extension with the text in the manifest. `exclude` matches each part of a path. */
async function manifestWith(text: string): Promise<unknown> {
  const folder = join(programFolder, "extension");
  mkdirSync(folder, { recursive: true });
  const manifest = {
    manifest_version: 3,
    name: "x",
    version: "1",
    options_page: text,
    icons: { 16: `/${text}` },
  };
  // A manifest of more than 1 MiB is not read.
  const short = JSON.stringify({ ...manifest, icons: undefined });
  writeFileSync(join(folder, "manifest.json"), short.length < 900_000 ? JSON.stringify(manifest) : short);
  return readExtension(folder, { exclude: ["**/x", "*a*b", "{c,d}"] });
}

const validators: Readonly<Record<string, (text: string) => unknown>> = {
  "the path of an extension": (text) => locateExtension(text, programFolder),
  "a pattern of exclude": (text) => compileExclude([text]),
  "two hundred patterns of exclude": (text) => compileExclude(Array.from({ length: 200 }, () => text)),
  "a pattern of exclude that is not too long": (text) => compileExclude([text.slice(0, 1_024)]),
  "a name that may never ship": (text) => [neverShipReason(text, false), neverShipReason(text, true)],
  "a name in a folder or zip": (text) => [pathProblem(text), decodeName(Buffer.from(text))],
  "a zip with such a name": (text) =>
    readArchive(craftedZip([{ name: Buffer.from(text).subarray(0, 65_534) }]), "The archive"),
  "files of an extension that the manifest names": (text) => manifestWith(text),
  "the name and the version in a manifest": (text) =>
    readArchive(zipOfManifest({ manifest_version: 3, name: text, version: text }), "The archive"),
  "a manifest": (text) => readArchive(craftedZip([{ name: "manifest.json", contents: text }]), "The archive"),
  "a file that may hold a private key": (text) =>
    secretsOfFolder("sk_0123456789abcdef").find(Buffer.from(text)),
  "the name of an extension": extensionNameProblem,
  "the id of an API key": (text) => apiKeyIdProblem(text, apiKey),
  "the id of an API key, with a key not known": (text) => apiKeyIdProblem(text),
  "the name of an API key": apiKeyNameProblem,
  "an API key": (text) => checkApiKey(text),
  "a project id": (text) => checkProjectId(text),
  "a base URL": (text) => parseBaseUrl(text),
  "a base URL that is an address": (text) => parseBaseUrl(`https://${text}`),
  "a base URL that is not too long": (text) => parseBaseUrl(`https://a.example/${text}`.slice(0, 2_000)),
  "an API key of the environment": (text) => resolveSettings(setting("BROWSER_INFRA_API_KEY", text)),
  "a base URL of the environment": (text) => resolveSettings(setting("BROWSER_INFRA_BASE_URL", text)),
  "a project id of the environment": (text) => resolveSettings(setting("BROWSER_INFRA_PROJECT_ID", text)),
  "the inputs of an Extension": (text) =>
    parseExtensionInputs(
      { path: text, name: text, projectId: text, exclude: [text], adopt: text, [text]: 1 },
      programFolder,
    ),
  "the inputs of an ApiKeyName": (text) =>
    apiKeyNameFailures({ keyId: text, name: text, onDelete: text, [text]: 1 }, apiKey),
  "the inputs of a BrowserPool": (text) =>
    browserPoolFailures({
      size: 1,
      name: text,
      projectId: text,
      extensionIds: [text],
      chromePolicy: text,
      startUrl: text,
      [text]: 1,
    }),
  "the inputs of an ApiKey": (text) =>
    apiKeyFailures({ name: text, projectId: text, daysToExpire: text, triggers: text, [text]: 1 }),
  "the inputs of a LoginFlow": (text) =>
    loginFlowFailures({ connectionId: text, timeout: text, onFailure: text, triggers: text, [text]: 1 }),
};

function zipOfManifest(manifest: object): Buffer {
  return craftedZip([{ name: "manifest.json", contents: JSON.stringify(manifest) }]);
}

/**
 * CPU time of a validator, which does not depend on other work of the machine. Minimum of up to
 * three runs, because garbage collection counts too.
 */
async function costOf(validate: (text: string) => unknown, text: string): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3 && leastMs >= costMaxMs; time += 1) {
    const before = process.cpuUsage();
    try {
      await validate(text);
    } catch (error) {
      // Refused, with an error of ours.
      expect(error).toBeInstanceOf(BrowserInfraError);
    }
    const { user, system } = process.cpuUsage(before);
    leastMs = Math.min(leastMs, (user + system) / 1_000);
  }
  return leastMs;
}

describe("hostile text", () => {
  test.each(Object.entries(validators))(
    "X12: a megabyte of hostile text costs %s at most 100 ms, or a time in proportion to its length",
    async (_what, validate) => {
      for (const { piece, of } of texts) {
        let earlierMs = 0;
        for (const length of lengths) {
          const costMs = await costOf(validate, of(length));
          if (costMs > Math.max(costMaxMs, growthMax * earlierMs)) {
            throw new Error(`${length} characters of ${JSON.stringify(piece)} took ${costMs} ms`);
          }
          earlierMs = costMs;
        }
      }
    },
    // A slow machine may take long for all texts together.
    300_000,
  );
});
