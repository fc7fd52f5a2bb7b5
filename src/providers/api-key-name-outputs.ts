import type { ApiKey } from "../client/index.js";
import { quote } from "../text/escape.js";
import type { Report } from "./lifecycle.js";
import type { PropertyMap } from "./property-values.js";

/** What the service says of an API key. The state has no word for "none": a key of the whole organization has no `projectId` there. */
export function liveOutputs(apiKey: ApiKey): PropertyMap {
  const { createdBy, projectId, projectName, expiresAt } = apiKey;
  return {
    keyId: apiKey.id,
    name: apiKey.name,
    maskedKey: apiKey.maskedKey,
    createdAt: apiKey.createdAt,
    createdBy: {
      id: createdBy.id,
      email: createdBy.email,
      ...(createdBy.name === null ? {} : { name: createdBy.name }),
    },
    ...(projectId === null ? {} : { projectId }),
    ...(projectName === null ? {} : { projectName }),
    ...(expiresAt === null ? {} : { expiresAt }),
  };
}

/** An expired key can be renamed as any other, but whoever deploys should know of it. */
export function sayIfExpired({ id, name, expiresAt }: ApiKey, report: Report): void {
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    report.warning(`API key ${quote(name)} (${id}) expired on ${expiresAt}: nobody can use it any more.`);
  }
}
