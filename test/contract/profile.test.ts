import { testContract } from "./contract.js";

testContract("in process", ["Profile"]);
