import { testContract } from "./contract.js";
import { testOutputs } from "./outputs.js";
import { kinds } from "./samples.js";

testContract("plugin", kinds);
testOutputs("plugin");
