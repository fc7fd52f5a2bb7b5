import { testContract } from "./contract.js";
import { testOutputs } from "./outputs.js";
import { kinds } from "./samples.js";

testContract("dynamic", kinds);
testOutputs("dynamic");
