import { testContract } from "./rows/contract.js";

testContract("in process", ["AppDeployment"]);
