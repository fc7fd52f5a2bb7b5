/** What a request may say of a proxy. Source: the published interface. */
import { z } from "zod";
import { checkedString, exactly, notAString, wholeNumber } from "../http/shapes.js";

/** Longest name, in code points. That there is a limit is published, which one is a guess. */
const nameCharactersMax = 255;

const text = z.string(notAString).min(1, "must not be empty").optional();
const host = checkedString((given) =>
  /^[^\s/@]+$/.test(given) ? undefined : "must be a host, without a scheme or a path",
);

/** Says what is wrong with a name, as the end of a sentence. It is trimmed before, as published. */
export function proxyNameProblem(name: string): string | undefined {
  const length = [...name.trim()].length;
  return length > 0 && length <= nameCharactersMax
    ? undefined
    : `must have 1 to ${nameCharactersMax} characters, and not only whitespace`;
}

const name = checkedString(proxyNameProblem).transform((given) => given.trim());

const ispCountries = ["US", "GB", "FR", "DE", "SG", "KR"];

/** Configurations by type: what each may have. Countries and the like are not looked up. */
const configs = {
  isp: exactly({
    country: z.enum(ispCountries, `must be one of ${ispCountries.join(", ")}`).default("US"),
  }).default({ country: "US" }),
  residential: exactly({
    ...{ country: text, state: text, zip: text, asn: text },
    city: z.string(notAString).regex(/^\S+$/, "must have no spaces").optional(),
    os: z.enum(["windows", "macos", "android"], "must be windows, macos or android").optional(),
  })
    .refine(
      ({ city, country }) => city === undefined || country !== undefined,
      "must have a country with a city",
    )
    .optional(),
  mobile: exactly({ country: text, state: text, city: text }).optional(),
  custom: exactly({ host, port: wholeNumber(1, 65_535), username: text, password: text, ca_bundle: text }),
};

const common = {
  name: name.optional(),
  protocol: z.enum(["http", "https"], "must be http or https").optional(),
  bypass_hosts: z.array(host, "must be a list").optional(),
};

/** Body of a request that creates a proxy. */
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

/** What creates a proxy. */
export type CreateRequest = z.output<typeof createRequest>;

/** Body of a request that renames a proxy. */
export const renameRequest = exactly({ name });
