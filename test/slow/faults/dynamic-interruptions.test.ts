import { bridges } from "../../support/stacks/bridges.js";
import { testInterruptedDeployments } from "./interrupted-deployments.js";

describe.each(bridges.slice(1))(
  "an interruption of every kind, through $name, on a fresh checkout",
  testInterruptedDeployments,
);
