/** Random settings that client or emulator refuses alone. */
export interface Disagreement {
  /** Noun and setting: `proxy: name`. */
  readonly rule: string;
  readonly refusedBy: "client" | "emulator";
  /** Problem, in the words of the side that refuses. */
  readonly problem: string;
}

/** A disagreement that is wanted. `rule` also covers the settings that begin with it. */
export type Wanted = Disagreement & { readonly because: string };

const leftToTheService = "The client refuses only what is cheap to see, and leaves the rest to the service.";
const servicesNameChanges =
  "The service trims the name, so the object would have another name than the program.";
const notAddressable = "The service accepts the name, and no path of a URL can have it.";

/** All wanted disagreements. `problem` is a part of the words. */
export const wanted: readonly Wanted[] = [
  {
    ...{ rule: "project: name", refusedBy: "client", problem: "has a control character" },
    because: "A lookup by the name would fail.",
  },
  {
    ...{ rule: "credential: name", refusedBy: "client", problem: "has a control character" },
    because: "A lookup by the name would fail.",
  },
  {
    ...{ rule: "project: name", refusedBy: "emulator", problem: "not only whitespace" },
    because: "The refusal is a guess of the emulator.",
  },
  {
    ...{ rule: "credential: name", refusedBy: "emulator", problem: "not only whitespace" },
    because: "The refusal is a guess of the emulator.",
  },
  {
    ...{ rule: "profile: name", refusedBy: "emulator", problem: "not only whitespace" },
    because: "The refusal is a guess of the emulator.",
  },
  {
    ...{ rule: "auth connection: profileName", refusedBy: "emulator", problem: "not only whitespace" },
    because: "The refusal is a guess of the emulator.",
  },
  {
    ...{ rule: "API key: name", refusedBy: "emulator", problem: "not only whitespace" },
    because: "That the service trims the name is a guess of the emulator.",
  },
  {
    ...{ rule: "profile: name", refusedBy: "client", problem: "looks like a profile id" },
    because: "Paths accept both, so the client could not tell a name from an id.",
  },
  {
    ...{ rule: "browser pool: name", refusedBy: "client", problem: "part of a URL" },
    because: notAddressable,
  },
  {
    ...{ rule: "telemetry destination: name", refusedBy: "client", problem: "part of a URL" },
    because: notAddressable,
  },
  {
    ...{ rule: "browser pool: memory", refusedBy: "emulator", problem: "for browsers with a window" },
    because: "The client checks settings of a change too, which keeps the mode of the pool.",
  },
  {
    ...{
      rule: "browser pool: network",
      refusedBy: "emulator",
      problem: "is no hostname, IP address or range",
    },
    because: leftToTheService,
  },
  {
    ...{ rule: "browser pool: network", refusedBy: "emulator", problem: "is no address or canonical range" },
    because: leftToTheService,
  },
  {
    ...{ rule: "browser pool: network", refusedBy: "emulator", problem: "is in a private or reserved range" },
    because: leftToTheService,
  },
  {
    ...{ rule: "browser pool: network", refusedBy: "emulator", problem: "is in no private range" },
    because: leftToTheService,
  },
  {
    ...{ rule: "browser pool: network", refusedBy: "emulator", problem: 'public suffix: "*.github.io"' },
    because: "The client knows suffixes of countries. Suffixes of companies are left to the service.",
  },
  {
    ...{ rule: "proxy: bypassHosts", refusedBy: "emulator", problem: "must be a hostname" },
    because: leftToTheService,
  },
  {
    ...{ rule: "proxy: name", refusedBy: "client", problem: "start or end with whitespace" },
    because: servicesNameChanges,
  },
  {
    ...{ rule: "credential provider: name", refusedBy: "client", problem: "start or end with whitespace" },
    because: servicesNameChanges,
  },
  {
    ...{ rule: "credential provider: token", refusedBy: "client", problem: "is empty" },
    because: "A token of spaces is a mistake. The service tests no token at the creation.",
  },
  {
    ...{ rule: "credential: ssoProvider", refusedBy: "client", problem: "is empty" },
    because: "A program leaves the setting out for none. The service takes an empty string for none.",
  },
  {
    ...{ rule: "credential: totpSecret", refusedBy: "emulator", problem: "totp_secret must be base32" },
    because: "The client reads no member of a URI that holds a secret.",
  },
  {
    ...{ rule: "credential: domain", refusedBy: "emulator", problem: "must be a domain" },
    because: "An asterisk before an address. The accepted form is a guess of the emulator.",
  },
  {
    ...{ rule: "auth connection: domain", refusedBy: "emulator", problem: "must be a domain" },
    because: "An asterisk before an address. The accepted form is a guess of the emulator.",
  },
  {
    ...{ rule: "telemetry destination: headers", refusedBy: "client", problem: "control character" },
    because: "No header can have such a value, so nothing would be exported.",
  },
];

/** Whether an entry explains a disagreement. */
export function explains(entry: Disagreement, { rule, refusedBy, problem }: Disagreement): boolean {
  return rule.startsWith(entry.rule) && refusedBy === entry.refusedBy && problem.includes(entry.problem);
}
