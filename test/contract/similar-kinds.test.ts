import { similarKinds, testContract } from "./rows/contract.js";

testContract("in process", similarKinds);
