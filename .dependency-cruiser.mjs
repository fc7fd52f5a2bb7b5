/**
 * Which imports src may have, as docs/maintainers/architecture.md draws them. `npm run check` applies it. Paths
 * are regular expressions and begin below src. A new file, noun or kind of resource needs no line.
 */

/** What everything may import. It imports nothing else of src. */
const base = "text/|(errors|config|node-version)\\.ts";

/** What loads in every Pulumi program. It must start fast, whatever the provider needs. */
const program = "index\\.ts|resources/|functions/|bridges/plugin/sdk/";

/** What each layer may import besides `base` and itself. */
const layers = {
  [base]: [],
  "archive/": [],
  "client/": [],
  "chromium/": [],
  // Shares no judgement with the client or the provider.
  "emulator/": ["chromium/"],
  "providers/": ["archive/", "client/"],
  "functions/": ["client/"],
  "resources/": ["functions/", "providers/"],
  "bridges/": ["providers/", "functions/", "resources/"],
  // Beside the client, an import reads with the life cycles and writes what state files hold.
  "cli/": [
    "archive/",
    "chromium/",
    "client/",
    "emulator/",
    "providers/",
    "resources/(type-token|dynamic-contract)\\.ts",
    "bridges/(kinds|dynamic/hidden-input)\\.ts",
  ],
  "index\\.ts": [program],
};

/** Rooms of the emulator from the bottom up, all of them. */
const emulatorRooms = [
  "emulator/storage/",
  "emulator/http/",
  "emulator/objects/",
  "emulator/organization/",
  "emulator/browsers/",
  "emulator/apps/",
  "emulator/logins/",
  "emulator/seed/",
  "emulator/control/",
  "emulator/pages/",
  "emulator/[^/]+$",
];

/** Rooms of a layer from the bottom up. None imports one above it. */
const floors = [
  ["archive/rules/", "archive/manifest/", "archive/source/", "archive/zip/"],
  [
    "client/(?:schema|open|names|options)\\.ts",
    "client/http/",
    "client/operations/",
    "client/(?:organization|browsers|logins|apps)/",
  ],
  emulatorRooms,
  [
    "providers/(?:(?!kinds)[^/]+$|messages/|reads/|core/)",
    "providers/(?:organization|browsers|logins|apps)/",
    "providers/kinds\\.ts",
  ],
  ["providers/core/[^/]+$", "providers/core/(?:owned|borrowed)/"],
  [
    "bridges/(?:kinds|attended|resource-secrets)\\.ts",
    "bridges/(?!kinds|attended|resource-secrets)[^/]+$",
    "bridges/(?:plugin|dynamic)/",
  ],
  ["cli/terminal/", "cli/(?!terminal)"],
];

/** The parts of src that use a package. No other may. */
const packages = {
  "@pulumi/pulumi|@grpc/grpc-js|google-protobuf": "bridges/|resources/|functions/|cli/stack/find-drift\\.ts",
  "undici|eventsource-parser": "client/http/",
  zod: "client/|providers/|emulator/",
  "hono|@hono/node-server": "emulator/",
  ws: "emulator/browsers/sessions/",
  "yauzl|strip-json-comments": "archive/|emulator/browsers/extensions/",
  "picomatch|ignore": "archive/",
  "commander|get-east-asian-width|@clack/prompts|@bomb\\.sh/tab": "cli/",
};

/** Kinds of import that load nothing when the module is loaded. */
const late = ["type-only", "type-import", "require", "dynamic-import"];

/** @param {readonly string[]} parts */
const inSrc = (...parts) => `^src/(?:${parts.join("|")})`;
/** @param {string} names */
const inPackages = (names) => `node_modules/(?:${names})/`;

const rules = [
  { name: "no-circle", comment: "Types included.", from: {}, to: { circular: true } },
  {
    name: "no-file-without-a-subject",
    from: {},
    to: {
      path: "/(utils?|helpers?|common|misc|shared|constants)(/|\\.ts$)",
      pathNot: "node_modules/",
    },
  },
  { name: "nothing-unknown", from: {}, to: { couldNotResolve: true } },
  ...Object.entries(layers).map(([layer, below]) => ({
    name: "layers-import-downwards",
    from: { path: inSrc(layer) },
    to: { path: "^src/", pathNot: inSrc(layer, base, ...below) },
  })),
  ...floors.flatMap((rooms) =>
    rooms.slice(0, -1).map((room, index) => ({
      name: "rooms-import-downwards",
      from: { path: inSrc(room) },
      to: { path: inSrc(...rooms.slice(index + 1)) },
    })),
  ),
  {
    name: "every-room-of-the-emulator-is-listed",
    from: { path: inSrc("emulator/"), pathNot: inSrc(...emulatorRooms) },
    to: {},
  },
  ...Object.entries(packages).map(([names, users]) => ({
    name: "packages-where-they-belong",
    from: { path: "^src/", pathNot: inSrc(users) },
    to: { path: inPackages(names) },
  })),
  {
    name: "no-other-package",
    from: {},
    to: { path: "node_modules/", pathNot: inPackages(Object.keys(packages).join("|")) },
  },
  {
    name: "a-program-loads-only-its-side",
    comment:
      "Types cost nothing, and a function loads the client when it is first called. Jest refuses `import()` there.",
    from: { path: inSrc(program) },
    to: {
      path: "^src/",
      pathNot: inSrc(program, base),
      dependencyTypesNot: late.filter((kind) => kind !== "dynamic-import"),
    },
  },
  {
    name: "the-client-loads-with-the-first-request",
    comment: "It takes half of the time that a provider needs to load. `Accounts` loads it.",
    from: { path: inSrc("providers/", "bridges/") },
    to: { path: inSrc("client/(index|client)\\.ts"), dependencyTypesNot: late },
  },
  {
    name: "only-through-the-door",
    comment:
      "The door is the top of the folder, the rooms of the client, the words for who waits for a login, and private files.",
    from: { path: "^src/([^/]+)" },
    to: {
      path: inSrc("(?:archive|client|emulator)/.+/"),
      pathNot: [
        "^src/$1/",
        inSrc(
          "client/(?:organization|browsers|logins|apps)/[^/]+$",
          "client/operations/near-names\\.ts",
          "emulator/seed/options\\.ts",
          "client/logins/following/reporter\\.ts",
          "emulator/storage/private-file\\.ts",
        ),
      ],
    },
  },
  {
    name: "no-kind-imports-another",
    comment: "But ApiKey renames a key as ApiKeyName does.",
    from: { path: "^src/providers/(?!core)[^/]+/([^/]+)/" },
    to: { path: "^src/providers/(?!core)[^/]+/[^/]+/", pathNot: "^src/providers/[^/]+/$1(-name)?/" },
  },
];

export default {
  forbidden: rules.map((rule) => ({ severity: "error", ...rule })),
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: "specify",
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["require", "types"],
    },
  },
};
