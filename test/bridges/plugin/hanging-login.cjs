// Loaded into a plugin before everything else: a login flow that nothing ends, not even a cancel.
const { LoginFlowLifecycle } = require("../../../dist/providers/logins/login-flow/lifecycle.js");

LoginFlowLifecycle.prototype.create = (_inputs, { report }) => {
  report.info("hangs");
  return new Promise(() => undefined);
};
