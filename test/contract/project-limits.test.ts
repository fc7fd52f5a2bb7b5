import { testContract } from "./contract.js";

testContract("in process", ["ProjectLimits"]);
