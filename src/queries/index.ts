/** What can be asked of the service, free of Pulumi: one query for each function. */
import {
  apiKeyQuery,
  apiKeysQuery,
  organizationLimitsQuery,
  projectLimitsQuery,
  projectQuery,
  projectsQuery,
} from "./organization.js";
import { authConnectionQuery, browserPoolQuery, browserPoolsQuery, extensionQuery } from "./project.js";
import type { Query } from "./query.js";

export { type Query, runQuery } from "./query.js";

const all: readonly Query[] = [
  apiKeyQuery,
  apiKeysQuery,
  authConnectionQuery,
  browserPoolQuery,
  browserPoolsQuery,
  extensionQuery,
  organizationLimitsQuery,
  projectLimitsQuery,
  projectQuery,
  projectsQuery,
];

/** Every query by the name of its function, such as `getProject`. */
export const queries: Readonly<Record<string, Query>> = Object.fromEntries(
  all.map((query) => [query.name, query]),
);
