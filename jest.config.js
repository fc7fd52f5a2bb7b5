const { availableParallelism } = require("node:os");

/** Packages that publish ES modules only. Jest loads CommonJS, so it translates them. */
const esModulePackages = [
  "eventsource-parser",
  "github-slugger",
  "get-east-asian-width",
  "strip-json-comments",
];

const translated = `/node_modules/(${esModulePackages.join("|")})/.+\\.js$`;

/** What all projects share. */
const base = {
  testEnvironment: "node",
  // No test reaches anything but this machine, neither itself nor the programs that it starts.
  setupFiles: ["<rootDir>/test/support/loopback-only.cjs"],
  // Sources import one another by the name of the compiled file.
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1", "^(\\.{1,2}/.*)\\.mjs$": "$1.mts" },
  // Neither the build nor the tools of the set-up are sources.
  modulePathIgnorePatterns: ["<rootDir>/.tools/", "<rootDir>/dist/"],
  transform: {
    [`^.+\\.m?ts$|${translated}`]: [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2023" }, module: { type: "commonjs" } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esModulePackages.join("|")})/)`],
};

/** Runs Pulumi programs against the packed package. */
const engine = {
  ...base,
  displayName: "engine",
  testMatch: ["<rootDir>/test/engine/**/!(*.slow).test.ts"],
  globalSetup: "<rootDir>/test/support/stacks/install-package.ts",
};

/**
 * What takes long, with or without the engine: `npm run test:all`, or a run that names it, as a path does.
 */
const slow = {
  ...engine,
  displayName: "slow",
  testMatch: ["<rootDir>/test/slow/**/*.test.ts", "<rootDir>/test/**/*.slow.test.ts"],
};
const namesSlow = process.argv.slice(2).some((argument) => argument.includes("slow"));

/**
 * `unit` needs no Pulumi CLI; `engine` runs Pulumi programs against the packed package. The tests in
 * test/repository/release need an executable, which takes long to make: `npm run test:all -- package`.
 */
module.exports = {
  projects: [
    {
      ...base,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: [
        "/node_modules/",
        "<rootDir>/test/(engine|slow|repository/release)/",
        "\\.slow\\.",
      ],
    },
    engine,
    ...(namesSlow ? [slow] : []),
  ],
  testTimeout: 240_000,
  testSequencer: "<rootDir>/test/support/longest-first.cjs",
  // Two more than cores: an engine test waits for its processes and for time limits. Ten of these files
  // took 116 s with four workers on two cores, and 128 s with three.
  maxWorkers: availableParallelism() + 2,
  maxConcurrency: 3,
};
