import { browserPoolNameProblem } from "../../client/names.js";
import { checkProjectId } from "../../config.js";
import { type CheckFailure, undeclaredInputs } from "../lifecycle.js";
import { isPropertyMap, type PropertyMap, type PropertyValue, unknownValue } from "../properties.js";
import {
  browserPoolInputs,
  type DeclaredPool,
  poolSettings,
  type PoolSetting,
  telemetryCategories,
  telemetryDefaults,
} from "./properties.js";

/** Limits that the service documents, and those that its Terraform provider keeps (extensions). */
const extensionsMax = 20;
const policyBytesMax = 5 * 1024 * 1024;
const startUrlBytesMax = 2_048;
const timeoutSecondsMin = 10;
const timeoutSecondsMax = 259_200;

type Fail = (property: string, reason: string) => void;

/** What is wrong with the inputs of a BrowserPool, all at once. Unknown values pass. */
export function browserPoolFailures(news: PropertyMap): CheckFailure[] {
  const failures = undeclaredInputs(news, browserPoolInputs, "A BrowserPool");
  const fail: Fail = (property, reason) => {
    failures.push({ property, reason });
  };
  const declared = browserPoolInputs.readDeclared(news);
  nameFailures(news, declared, fail);
  sizeFailures(news, declared, fail);
  extensionFailures(news, declared, fail);
  profileFailures(news, declared, fail);
  policyFailures(news, fail);
  viewportFailures(news, fail);
  telemetryFailures(news, fail);
  for (const property of flags) {
    if (news[property] !== undefined && declared[property] === undefined) {
      fail(property, `"${property}" must be true or false.`);
    }
  }
  return failures;
}

const flags = [
  "headless",
  "stealth",
  "kioskMode",
  "rebuildIdleBrowsersOnUpdate",
  "forceDelete",
] as const satisfies readonly (keyof DeclaredPool)[];

function nameFailures(news: PropertyMap, { name, projectId, proxyId, startUrl }: DeclaredPool, fail: Fail) {
  for (const [property, value] of Object.entries({ name, projectId, proxyId, startUrl })) {
    if (news[property] !== undefined && isNoString(value)) {
      fail(property, `"${property}" must be a non-empty string. To have none, leave it out.`);
    }
  }
  const problem = typeof name === "string" && !isNoString(name) ? browserPoolNameProblem(name) : undefined;
  if (problem !== undefined) {
    fail("name", `The browser pool's "name" ${problem}.`);
  }
  if (typeof projectId === "string" && !isNoString(projectId)) {
    try {
      checkProjectId(projectId);
    } catch (error) {
      fail("projectId", (error as Error).message);
    }
  }
  if (typeof startUrl === "string" && Buffer.byteLength(startUrl) > startUrlBytesMax) {
    fail("startUrl", `"startUrl" has ${Buffer.byteLength(startUrl)} bytes; the limit is ${startUrlBytesMax}.`);
  }
}

/** Whether a value is no string, or one without a character. An unknown one may become a string. */
function isNoString(value: PropertyValue | undefined): boolean {
  return value !== unknownValue && (typeof value !== "string" || value.trim() === "");
}

function sizeFailures(news: PropertyMap, declared: DeclaredPool, fail: Fail) {
  const { size, timeoutSeconds, fillRatePerMinute, waitForAvailable } = declared;
  if (size !== unknownValue && !isCount(size)) {
    fail("size", 'A BrowserPool needs "size", a whole number from 1: how many browsers the service keeps ready.');
  }
  const isTimeout =
    timeoutSeconds === unknownValue ||
    (isCount(timeoutSeconds) && timeoutSeconds >= timeoutSecondsMin && timeoutSeconds <= timeoutSecondsMax);
  if (news.timeoutSeconds !== undefined && !isTimeout) {
    fail(
      "timeoutSeconds",
      `"timeoutSeconds" must be a whole number from ${timeoutSecondsMin} to ${timeoutSecondsMax} (72 hours).`,
    );
  }
  const isRate = fillRatePerMinute === unknownValue || (fillRatePerMinute ?? -1) >= 0;
  if (news.fillRatePerMinute !== undefined && !isRate) {
    fail("fillRatePerMinute", '"fillRatePerMinute" must be a number from 0: a percentage of the pool a minute.');
  }
  if (news.waitForAvailable === undefined || waitForAvailable === unknownValue) {
    return;
  }
  if (!isCount(waitForAvailable) || (typeof size === "number" && waitForAvailable > size)) {
    fail(
      "waitForAvailable",
      '"waitForAvailable" must be a whole number from 1 to "size": how many browsers must be ready. To wait for none, leave it out.',
    );
  } else if (fillRatePerMinute === 0) {
    fail(
      "waitForAvailable",
      '"waitForAvailable" would wait for nothing: with a "fillRatePerMinute" of 0, the pool never fills.',
    );
  }
}

function isCount(value: PropertyValue | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

function extensionFailures(news: PropertyMap, { extensionIds }: DeclaredPool, fail: Fail) {
  if (news.extensionIds === undefined || extensionIds === unknownValue) {
    return;
  }
  if (extensionIds === undefined || extensionIds.some(isNoString)) {
    fail("extensionIds", '"extensionIds" must be a list of ids of extensions, such as [extension.id].');
  } else if (extensionIds.length > extensionsMax) {
    fail(
      "extensionIds",
      `"extensionIds" has ${extensionIds.length} extensions; a browser loads ${extensionsMax} at most.`,
    );
  } else if (new Set(extensionIds).size < extensionIds.length) {
    fail("extensionIds", '"extensionIds" names an extension twice. Each is loaded once, so remove one of them.');
  }
}

function profileFailures(news: PropertyMap, declared: DeclaredPool, fail: Fail) {
  const { refreshOnProfileUpdate } = declared;
  for (const property of ["profileId", "profileName"] as const) {
    if (news[property] !== undefined && isNoString(declared[property])) {
      fail(property, `"${property}" must be a non-empty string. For a pool without a profile, leave it out.`);
    }
  }
  const hasId = news.profileId !== undefined;
  const hasName = news.profileName !== undefined;
  if (hasId && hasName) {
    fail("profileName", 'A pool has one profile: give either "profileId" or "profileName".');
  }
  if (news.refreshOnProfileUpdate === undefined) {
    return;
  }
  if (refreshOnProfileUpdate === undefined) {
    fail("refreshOnProfileUpdate", '"refreshOnProfileUpdate" must be true or false.');
  } else if (!hasId && !hasName) {
    fail(
      "refreshOnProfileUpdate",
      '"refreshOnProfileUpdate" needs a profile. Give "profileId" or "profileName", or leave it out.',
    );
  }
}

function policyFailures({ chromePolicy }: PropertyMap, fail: Fail) {
  if (chromePolicy === undefined || chromePolicy === unknownValue) {
    return;
  }
  const read = readPolicy(chromePolicy);
  if (read === undefined) {
    fail(
      "chromePolicy",
      '"chromePolicy" must be an object of Chrome enterprise policies by name, such as { HomepageLocation: "https://example.com" }, or its JSON.',
    );
    return;
  }
  const bytes = hasUnknownPart(read) ? 0 : Buffer.byteLength(JSON.stringify(read));
  if (bytes > policyBytesMax) {
    fail("chromePolicy", `"chromePolicy" has ${bytes} bytes of JSON; the service takes ${policyBytesMax} at most.`);
  }
}

/** The policy that an object or the JSON of one gives; undefined for anything else. */
export function readPolicy(value: PropertyValue): PropertyMap | undefined {
  if (typeof value !== "string") {
    return isPropertyMap(value) ? value : undefined;
  }
  try {
    const parsed: PropertyValue = JSON.parse(value);
    return isPropertyMap(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function hasUnknownPart(value: PropertyValue): boolean {
  if (Array.isArray(value)) {
    return value.some(hasUnknownPart);
  }
  return value === unknownValue || (isPropertyMap(value) && Object.values(value).some(hasUnknownPart));
}

function viewportFailures({ viewport }: PropertyMap, fail: Fail) {
  if (viewport === undefined || viewport === unknownValue) {
    return;
  }
  const members = isPropertyMap(viewport) ? viewport : {};
  const isWhole = (value: PropertyValue | undefined) => value === unknownValue || isCount(value);
  const isViewport =
    isWhole(members.width) &&
    isWhole(members.height) &&
    (members.refreshRate === undefined || isWhole(members.refreshRate)) &&
    membersBeside(members, "viewport").length === 0;
  if (!isViewport) {
    fail(
      "viewport",
      '"viewport" must have "width" and "height" in pixels, and may have "refreshRate" in hertz: whole numbers from 1.',
    );
  }
}

function telemetryFailures({ telemetry }: PropertyMap, fail: Fail) {
  if (telemetry === undefined || telemetry === unknownValue) {
    return;
  }
  const members = isPropertyMap(telemetry) ? telemetry : { "": telemetry };
  const isSelection = Object.values(members).every((value) => value === unknownValue || typeof value === "boolean");
  if (!isSelection || membersBeside(members, "telemetry").length > 0) {
    fail(
      "telemetry",
      `"telemetry" must be an object of true or false for categories. The categories are ${telemetryCategories.join(", ")}. With {}, the service captures its usual ones.`,
    );
  } else if (telemetryCategories.every((category) => (members[category] ?? telemetryDefaults[category]) === false)) {
    fail("telemetry", '"telemetry" switches every category off. To capture nothing, leave it out.');
  }
}

/** The members that a setting does not have. */
function membersBeside(members: PropertyMap, setting: PoolSetting): string[] {
  const known = poolSettings[setting].schema.properties ?? {};
  return Object.keys(members).filter((member) => !Object.hasOwn(known, member));
}
