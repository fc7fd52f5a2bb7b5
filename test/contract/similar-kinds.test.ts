import { similarKinds, testContract } from "./contract.js";

testContract("in process", similarKinds);
