import { testProcessWalk } from "./process-walk.js";

describe("a random walk against the provider process of dynamic resources", () => testProcessWalk("dynamic"));
