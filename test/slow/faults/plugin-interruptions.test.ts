import { bridges } from "../../support/stacks/bridges.js";
import { testInterruptions } from "./interruptions.js";

describe.each(bridges.slice(0, 1))(
  "an interruption of every kind, through $name, on a fresh checkout",
  testInterruptions,
);
