import { testContract } from "./rows/contract.js";
import { testOutputs } from "./rows/outputs.js";
import { kinds } from "./rows/samples.js";

testContract("plugin", kinds);
testOutputs("plugin");
