import { testProcessWalk } from "./process-walk.js";

describe("a random walk against the provider process of the plugin", () => testProcessWalk("plugin"));
