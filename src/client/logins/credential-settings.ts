/** Checks of credential settings, and the settings as a request body. */

import { projectNameProblem } from "../names.js";
import { type SettingProblem, settingProblems, wholeNumberProblem } from "../options.js";
import { domainProblem } from "./auth-connection-settings.js";
import type { CredentialChanges } from "./credential.js";

/** Reports all problems of the settings, without any secret value. */
export function credentialProblems({
  name,
  domain,
  values,
  ssoProvider,
  totpSecret,
  totpAlgorithm,
  totpDigits,
  totpPeriod,
}: CredentialChanges & { readonly domain?: string | undefined }): readonly SettingProblem[] {
  return settingProblems([
    ["name", name !== undefined && projectNameProblem(name)],
    ["domain", domain !== undefined && domainProblem(domain)],
    [
      "values",
      Object.hasOwn(values ?? {}, "") && "has a value without a name; name each field, such as username",
    ],
    ["ssoProvider", ssoProvider === "" && "is empty; leave it out for none"],
    [
      "totpSecret",
      totpSecret != null &&
        !/^otpauth:\/\/totp\/|^[A-Z2-7]{16,128}=*$/i.test(totpSecret) &&
        "must be base32 of 16 to 128 characters, or an otpauth URI for totp (the value is not shown here)",
    ],
    ["totpDigits", wholeNumberProblem(totpDigits, 6, 9)],
    ["totpPeriod", wholeNumberProblem(totpPeriod, 15, 300)],
    ...Object.entries({ totpAlgorithm, totpDigits, totpPeriod }).map(
      ([property, value]) =>
        [
          property,
          value !== undefined &&
            totpSecret == null &&
            'can only be given together with "totpSecret"; add "totpSecret", or remove this setting',
        ] as const,
    ),
  ]);
}

/** Converts settings to a request body. Null becomes the value that clears the setting. */
export function credentialOnWire(settings: CredentialChanges): Readonly<Record<string, unknown>> {
  const { name, values, removeValueKeys, ssoProvider, totpSecret } = settings;
  // JSON omits undefined members.
  return {
    name,
    values,
    remove_value_keys: removeValueKeys,
    sso_provider: ssoProvider,
    totp_secret: totpSecret === null ? "" : totpSecret,
    totp_algorithm: settings.totpAlgorithm,
    totp_digits: settings.totpDigits,
    totp_period: settings.totpPeriod,
  };
}
