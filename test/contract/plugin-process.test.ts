import { testContract } from "./contract.js";
import { kinds } from "./samples.js";

testContract("plugin", kinds);
