import { testContract } from "./contract.js";

testContract(
  "in process",
  ["Profile", "Proxy", "Credential", "AuthConnection", "OrganizationLimits", "ApiKeyName"],
  { isShared: true },
);
