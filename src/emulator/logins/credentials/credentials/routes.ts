import type { Context, Hono } from "hono";
import { z } from "zod";
import { beforeCommit } from "../../../http/exchange.js";
import { answerPage, readFilters, readPageRequest } from "../../../http/query.js";
import { readJson } from "../../../http/request-body.js";
import { invalidInput, nameConflict, notFound } from "../../../http/service-error.js";
import { checkedString, exactly, notAString, readShape, wholeNumber } from "../../../http/shapes.js";
import type { Access, RouteEnvironment } from "../../../organization/api-keys/access.js";
import { nameProblem, refuse } from "../../../storage/ids-and-names.js";
import { withValues } from "../../../storage/table.js";
import { domainProblem } from "../../connections/connection.js";
import type { CredentialStore, EmulatedCredential, EmulatedTotp } from "./store.js";
import { totpCode } from "./totp.js";

// Source of the bounds: the published documentation.
const totpDigits = wholeNumber(6, 9);
const totpPeriod = wholeNumber(15, 300);

const name = checkedString(nameProblem).refine((text) => !/[/%]/.test(text), 'must not have "/" or "%"');
const values = z.record(z.string().min(1), z.string(notAString), "must be an object of strings");
const totpAlgorithm = z.enum(["SHA1", "SHA256", "SHA512"], "must be SHA1, SHA256 or SHA512");
const totpShape = exactly({
  secret: z.string(),
  algorithm: totpAlgorithm,
  digits: totpDigits,
  period: totpPeriod,
});
const settings = {
  sso_provider: z.string(notAString).nullish(),
  totp_secret: z.string(notAString).optional(),
  totp_algorithm: totpAlgorithm.optional(),
  totp_digits: totpDigits.optional(),
  totp_period: totpPeriod.optional(),
};
const createRequest = exactly({ name, domain: checkedString(domainProblem), values, ...settings });
const updateRequest = exactly({
  name: name.optional(),
  values: values.optional(),
  remove_value_keys: z.array(z.string(notAString), "must be a list").optional(),
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
  /**
   * Converts a credential, with the present code only in the response to a request with the secret.
   */
  const withCode = (credential: EmulatedCredential, { totp_secret: secret }: Settings) => {
    const { code, expires_at } = (secret && codeOf(credential)) || {};
    return withValues({ ...onWire(credential), totp_code: code, totp_code_expires_at: expires_at });
  };

  app.post("/credentials", access, async (context) => {
    const request = await readJson(context, createRequest);
    await beforeCommit(context);
    const { id: projectId } = context.var.project;
    const { name, domain } = request;
    const created = credentials.insert({
      projectId,
      name,
      domain,
      fields: request.values,
      ssoProvider: request.sso_provider || null,
      totp: totpOf(request, null) ?? null,
    });
    return context.json(withCode(created ?? taken(projectId, name), request), 201);
  });

  app.get("/credentials", access, async (context) => {
    const request = { ...readPageRequest(context), ...readFilters(context, "domain", "query") };
    await beforeCommit(context);
    const page = credentials.ofDomain({ projectId: context.var.project.id, ...request });
    return answerPage(context, page, (row) => {
      const { value_keys: _notInLists, ...shown } = onWire(row);
      return shown;
    });
  });

  app.get("/credentials/:idOrName", access, async (context) => {
    await beforeCommit(context);
    return context.json(onWire(find(context)));
  });

  app.patch("/credentials/:idOrName", access, async (context) => {
    const request = await readJson(context, updateRequest);
    await beforeCommit(context);
    const credential = find(context);
    const removed = request.remove_value_keys ?? [];
    const kept = Object.entries(credential.fields).filter(([key]) => !removed.includes(key));
    const changed = credentials.update(credential, {
      name: request.name,
      fields: { ...Object.fromEntries(kept), ...request.values },
      ...(request.sso_provider !== undefined && { ssoProvider: request.sso_provider || null }),
      totp: totpOf(request, credential.totp),
    } as Partial<EmulatedCredential>);
    return context.json(withCode(changed ?? taken(credential.projectId, request.name ?? ""), request));
  });

  app.get("/credentials/:idOrName/totp-code", access, async (context) => {
    await beforeCommit(context);
    return context.json(codeOf(find(context)) ?? refuse(notFound("TOTP secret of the credential")));
  });

  app.delete("/credentials/:idOrName", access, async (context) => {
    await beforeCommit(context);
    credentials.remove(find(context).id);
    return context.body(null, 204);
  });

  function find(context: Context<RouteEnvironment, `/credentials/:idOrName${string}`>): EmulatedCredential {
    const credential = credentials.findIn(context.var.project.id, context.req.param("idOrName"));
    return credential ?? refuse(notFound("Credential"));
  }

  function taken(projectId: string, name: string): never {
    throw nameConflict("A credential", "in this project", credentials.holder(projectId, name));
  }
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
