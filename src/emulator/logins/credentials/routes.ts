import type { Hono } from "hono";
import { z } from "zod";
import { invalidInput, notFound } from "../../http/service-error.js";
import {
  anyText,
  checkedString,
  exactly,
  listOf,
  nothing,
  readShape,
  wholeNumber,
} from "../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../objects/access.js";
import { ObjectRoutes } from "../../objects/routes.js";
import { nameProblem, refuse } from "../../storage/ids-and-names.js";
import { withValues } from "../../storage/members.js";
import { domainProblem } from "../auth-connections/auth-connection.js";
import type { CredentialStore, EmulatedCredential, EmulatedTotp } from "./store.js";
import { totpCode } from "./totp.js";

// Source of the bounds: the published documentation.
const totpDigits = wholeNumber(6, 9);
const totpPeriod = wholeNumber(15, 300);

const name = checkedString(nameProblem).refine((text) => !/[/%]/.test(text), 'must not have "/" or "%"');
const values = z.record(z.string().min(1), anyText, "must be an object of strings");
const totpAlgorithm = z.enum(["SHA1", "SHA256", "SHA512"], "must be SHA1, SHA256 or SHA512");
/** Shape of the settings of one-time codes. @internal */
export const totpShape = exactly({
  secret: z.string(),
  algorithm: totpAlgorithm,
  digits: totpDigits,
  period: totpPeriod,
});
const settings = {
  sso_provider: anyText.nullish(),
  totp_secret: anyText.optional(),
  totp_algorithm: totpAlgorithm.optional(),
  totp_digits: totpDigits.optional(),
  totp_period: totpPeriod.optional(),
};
const createRequest = exactly({ name, domain: checkedString(domainProblem), values, ...settings });
const updateRequest = exactly({
  name: name.optional(),
  values: values.optional(),
  remove_value_keys: listOf(anyText).optional(),
  ...settings,
});
type Settings = z.infer<z.ZodObject<typeof settings>>;

/** Adds the operations on credentials. The service does not publish the rules of names. */
export function addCredentialRoutes(
  app: Hono<RouteEnvironment>,
  access: Access,
  credentials: CredentialStore,
): void {
  const codeOf = ({ totp }: EmulatedCredential) => (totp ? totpCode(totp, credentials.now()) : undefined);
  /** Converts a credential, with the present code only in response to a request with the secret. */
  const withCode = (credential: EmulatedCredential, { totp_secret: secret }: Settings) => {
    const { code, expires_at } = (secret && codeOf(credential)) || {};
    return withValues({ ...onWire(credential), totp_code: code, totp_code_expires_at: expires_at });
  };

  const kind = { path: "/credentials", thing: "credential", table: credentials, onWire };
  const routes = new ObjectRoutes(app, access, kind);
  routes.create(
    createRequest,
    (request, context) =>
      credentials.insert({
        projectId: context.var.project.id,
        ...{ name: request.name, domain: request.domain, fields: request.values },
        ssoProvider: request.sso_provider || null,
        totp: totpOf(request, null) ?? null,
      }),
    { onWire: withCode },
  );
  // There is no filter by name. Source: the published interface.
  routes.list(["domain"], {
    onWire: (row) => {
      const { value_keys: _notInLists, ...shown } = onWire(row);
      return shown;
    },
  });
  routes.read();
  routes.change(
    updateRequest,
    (request, credential) => {
      const removed = request.remove_value_keys ?? [];
      const kept = Object.entries(credential.fields).filter(([key]) => !removed.includes(key));
      return credentials.update(credential, {
        name: request.name,
        fields: { ...Object.fromEntries(kept), ...request.values },
        ssoProvider: request.sso_provider === undefined ? undefined : request.sso_provider || null,
        totp: totpOf(request, credential.totp),
      });
    },
    { onWire: withCode },
  );
  routes.read("/totp-code", (context, credential) =>
    context.json(codeOf(credential) ?? refuse(notFound("TOTP secret of the credential"))),
  );
  routes.remove(nothing, (_, { id }) => credentials.remove(id));
}

/**
 * Settings of one-time codes after a request: undefined for no change, null for no codes. A raw
 * secret keeps omitted settings. Parameters of a URI take precedence over the request. Source: the
 * published interface.
 */
function totpOf(request: Settings, present: EmulatedTotp | null): EmulatedTotp | null | undefined {
  const { totp_secret: given, totp_algorithm: algorithm, totp_digits: digits, totp_period: period } = request;
  if (given === undefined) {
    const [setting] = ["totp_algorithm", "totp_digits", "totp_period"].filter(
      (each) => request[each as keyof Settings] !== undefined,
    );
    return setting === undefined ? undefined : refuse(invalidInput(`${setting} needs totp_secret.`));
  }
  if (given === "") {
    return null;
  }
  const uri = /^otpauth:\/\/totp\//i.test(given) ? new URL(given).searchParams : undefined;
  const secret = uri === undefined ? given : (uri.get("secret") ?? "");
  if (!/^[A-Za-z2-7]{16,128}=*$/.test(secret)) {
    throw invalidInput("totp_secret must be base32 of 16 to 128 characters, or an otpauth URI for totp.");
  }
  const former = uri === undefined ? present : null;
  const made = {
    secret,
    algorithm: uri?.get("algorithm") ?? algorithm ?? former?.algorithm ?? "SHA1",
    digits: Number(uri?.get("digits") ?? digits ?? former?.digits ?? 6),
    period: Number(uri?.get("period") ?? period ?? former?.period ?? 30),
  };
  return readShape(totpShape, made, (problem) =>
    invalidInput(`The URI in totp_secret is invalid: ${problem}.`),
  );
}

/** Converts a credential for a response: with the names of the values, and no secret. */
function onWire({ id, name, domain, fields, ssoProvider, totp, createdAt, updatedAt }: EmulatedCredential) {
  const keys = Object.keys(fields);
  return withValues({
    id,
    name,
    domain,
    has_values: keys.length > 0,
    value_keys: keys,
    sso_provider: ssoProvider,
    has_totp_secret: totp !== null,
    totp_algorithm: totp?.algorithm,
    totp_digits: totp?.digits,
    totp_period: totp?.period,
    created_at: createdAt,
    updated_at: updatedAt,
  });
}
