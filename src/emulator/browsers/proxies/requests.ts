/** Requests about proxies. Source of the rules: the published interface and documentation. */
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod";
import {
  anyText,
  checkedString,
  exactly,
  filledText,
  listOf,
  oneOf,
  wholeNumber,
} from "../../http/shapes.js";
import { isPublic } from "../../objects/addresses.js";
import { nameProblem } from "../../storage/ids-and-names.js";

/** Largest bundle of certificates: 64 KiB. */
const bundleBytesMax = 65_536;

/** Most hosts that are reached without the proxy. */
const bypassHostsMax = 100;

const text = filledText.optional();
const host = checkedString((given) =>
  /^[^\s/@]+$/.test(given) ? undefined : "must be a host, without a scheme or a path",
);

/** Describes the problem of a name. Trims first, as published; the longest length is a guess. */
export function proxyNameProblem(name: string): string | undefined {
  return nameProblem(name.trim());
}

const name = checkedString(proxyNameProblem).transform((given) => given.trim());

const label = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?";
const hostname = new RegExp(`^(\\*\\.)?${label}(\\.${label})*$`, "i");

const bypassHost = checkedString((given) =>
  given.length <= 253 && hostname.test(given) && isIP(given) === 0
    ? undefined
    : 'must be a hostname of at most 253 characters, perhaps with "*." in front, without a scheme, a port or a path',
).transform((given) => given.toLowerCase());

const bundle = checkedString((given) => {
  if (Buffer.byteLength(given) > bundleBytesMax) {
    return "must have at most 64 KiB";
  }
  const certificates = given.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
  return certificates.length > 0 && certificates.every(isOfAuthority)
    ? undefined
    : "must be certificates of certificate authorities in PEM";
});

function isOfAuthority(certificate: string): boolean {
  try {
    return new X509Certificate(certificate).ca;
  } catch {
    return false;
  }
}

type Place = { readonly [K in "country" | "state" | "city" | "zip" | "asn"]?: string | undefined };

/** Refuses members of a place that contradict. */
function refusePlace({ country, state, city, zip, asn }: Place, { addIssue }: z.core.$RefinementCtx): void {
  const isOfUs = country?.toUpperCase() === "US";
  const problems: readonly [member: keyof Place, isWrong: boolean, message: string][] = [
    [
      "country",
      country === undefined && Boolean(state ?? city ?? zip ?? asn),
      "is needed with a state, a city, a zip or an asn",
    ],
    ["state", state !== undefined && country !== undefined && !isOfUs, "must be in the country US"],
    ["zip", zip !== undefined && country !== undefined && !isOfUs, "must be in the country US"],
    ["zip", zip !== undefined && Boolean(state ?? city), "cannot be given with a state or a city"],
    ["asn", asn !== undefined && Boolean(state ?? city), "cannot be given with a state or a city"],
  ];
  for (const [member, isWrong, message] of problems) {
    if (isWrong) {
      addIssue({ code: "custom", path: [member], message });
    }
  }
}

/** Configurations by type. Countries and the like are not looked up. */
const configs = {
  isp: exactly({
    country: oneOf("US", "GB", "FR", "DE", "SG", "KR").default("US"),
  }).default({ country: "US" }),
  residential: exactly({
    country: text,
    state: anyText.regex(/^[a-z]{2}$/i, "must have two letters").optional(),
    city: anyText.regex(/^[^\sA-Z]+$/, "must be in lower case and without spaces").optional(),
    zip: anyText.regex(/^\d{5}$/, "must have five digits").optional(),
    asn: anyText
      .regex(/^AS\d{1,10}$/, "must be the number of an autonomous system, such as AS7922")
      .optional(),
    os: z.enum(["windows", "macos", "android"], "must be windows, macos or android").optional(),
  })
    .superRefine(refusePlace)
    .optional(),
  mobile: exactly({ country: text, state: text, city: text }).superRefine(refusePlace).optional(),
  custom: exactly({
    host,
    port: wholeNumber(1, 65_535),
    username: text,
    password: anyText.min(5, "must have at least 5 characters").optional(),
    ca_bundle: bundle.optional(),
  }),
};

const common = {
  name: name.optional(),
  protocol: z.enum(["http", "https"], "must be http or https").default("https"),
  bypass_hosts: listOf(bypassHost)
    .max(bypassHostsMax, `must have at most ${bypassHostsMax} hosts`)
    .optional(),
};

export const createRequest = z.discriminatedUnion(
  "type",
  [
    exactly({ ...common, type: z.literal("isp"), config: configs.isp }),
    exactly({ ...common, type: z.literal("residential"), config: configs.residential }),
    exactly({ ...common, type: z.literal("mobile"), config: configs.mobile }),
    exactly({ ...common, type: z.literal("custom"), config: configs.custom }),
  ],
  "must have a type: isp, residential, mobile or custom",
);

export type CreateRequest = z.output<typeof createRequest>;

export const renameRequest = exactly({ name });

/** Body of a request that checks a proxy. No name is resolved. */
export const checkRequest = exactly({
  url: checkedString((given) => {
    const url = URL.parse(given);
    return url && /^https?:$/.test(url.protocol) && isPublic(url)
      ? undefined
      : "must be an HTTP or HTTPS URL of a public address";
  }).optional(),
});
