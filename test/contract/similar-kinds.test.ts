import { similarKinds, testContract } from "./rows/contract.js";

testContract("in process", similarKinds.owned, "a kind each");
testContract("in process", similarKinds.borrowed, "a kind each");
