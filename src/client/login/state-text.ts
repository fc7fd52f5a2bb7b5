import { withoutAddresses } from "../../without-addresses.js";
import type { LoginStateEvent } from "../types.js";

/** Longest text of the website or the service that is taken into a line. Characters. */
const quotedCharactersMax = 200;

/** How many fields, or choices, are named in a line. */
const namedMax = 5;

/** What a login is doing or waiting for, in a few words on one line and without any address, for the person who watches. */
export function loginStateText(state: LoginStateEvent): string {
  const { flowStatus, flowStep } = state;
  if (flowStatus !== "IN_PROGRESS") {
    return endTexts[flowStatus] ?? `the login stands at ${oneLine(flowStatus)}`;
  }
  const said = state.websiteError === null ? "" : `; the website says: ${oneLine(state.websiteError)}`;
  switch (flowStep) {
    case "DISCOVERING":
      return "looking for the login form";
    case "AWAITING_INPUT":
      return `waiting for ${awaitedText(state)}${said}`;
    case "AWAITING_EXTERNAL_ACTION":
      return state.externalActionMessage === null
        ? "waiting for a step outside the browser"
        : `waiting: ${oneLine(state.externalActionMessage)}`;
    case "SUBMITTING":
      return "logging in";
    case "COMPLETED":
      return "logged in, finishing";
    default:
      return flowStep === null ? "the login is under way" : `the login is at ${oneLine(flowStep)}`;
  }
}

const endTexts: Readonly<Record<string, string>> = {
  SUCCESS: "the login succeeded",
  FAILED: "the login failed",
  EXPIRED: "the login expired",
  CANCELED: "the login was canceled",
};

/** Canonical fields and choices are the better form where the service sends both. */
function awaitedText(state: LoginStateEvent): string {
  const fields =
    state.fields.length > 0
      ? state.fields.map(({ label, ref }) => label ?? ref)
      : state.discoveredFields.map(({ label }) => label);
  const choices =
    state.choices.length > 0
      ? state.choices
      : [...state.mfaOptions, ...state.signInOptions, ...state.pendingSsoButtons];
  const parts = [
    named(fields),
    choices.length === 0 ? "" : `a choice of ${named(choices.map(({ label }) => label))}`,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "input" : parts.join(", or ");
}

function named(labels: readonly string[]): string {
  const shown = labels.slice(0, namedMax).map((label) => `"${oneLine(label)}"`);
  const more = labels.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** Text of the website or the service as part of a line: without control and format characters, of addresses only the host, and bounded. */
export function oneLine(text: string): string {
  const line = withoutAddresses(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > quotedCharactersMax ? `${line.slice(0, quotedCharactersMax)}…` : line;
}
