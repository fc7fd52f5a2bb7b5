import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { manifestText, writeFiles } from "../fixtures.js";
import { refusedNames } from "./names.js";

/** Folder of an extension, next to a folder that nothing may read. */
interface Place {
  readonly folder: string;
  readonly outside: string;
  /** File in `outside`. The old time of last access would change with every read. */
  readonly secret: string;
}

/** A way to make the folder of an extension hostile. */
interface HostileFolder {
  /** Completes "a folder with …". */
  readonly what: string;
  readonly make: (place: Place) => void;
  /** Default: before the folder is listed. `after listing`: before the files are read. */
  readonly when?: "after listing";
  readonly code: string;
  readonly text: string;
  /** File systems of other platforms refuse or change such names. */
  readonly linuxOnly?: true;
}

/** Names in a folder with the files a.js, lib/b.js and manifest.json: each name is one step. */
export const namesListed = 4;

/** A folder with a manifest and two files, and the folder outside. */
export function newPlace(): Place {
  const parent = temporaryFolder();
  const [folder, outside] = [join(parent, "extension"), join(parent, "outside")];
  writeFiles(folder, [
    ["a.js", "a"],
    ["lib/b.js", "b"],
    ["manifest.json", manifestText()],
  ]);
  writeFiles(outside, [
    ["secret.txt", "do not read me"],
    ["b.js", "x"],
  ]);
  const secret = join(outside, "secret.txt");
  utimesSync(secret, new Date("2001-01-01T00:00:00Z"), new Date());
  return { folder, outside, secret };
}

const linkTo = (target: string | ((place: Place) => string), name = "link") => {
  return (place: Place) => {
    symlinkSync(typeof target === "string" ? target : target(place), join(place.folder, name));
  };
};

const links = (
  [
    ["an absolute link to a file outside", linkTo(({ secret }) => secret)],
    ["a relative link to a file outside", linkTo("../outside/secret.txt")],
    ["an absolute link to a folder outside", linkTo(({ outside }) => outside)],
    ["a relative link to a folder outside", linkTo("../outside")],
    ["a link to the root of the disk", linkTo("/")],
    ["a link to the environment of the process", linkTo("/proc/self/environ")],
    ["a link to a device without end", linkTo("/dev/zero")],
    ["a link to its own folder", linkTo(".")],
    ["a link to itself", linkTo("link")],
    [
      "two links that lead to each other",
      (place) => {
        linkTo("other")(place);
        linkTo("link", "other")(place);
      },
    ],
    ["a link to nowhere", linkTo("nowhere")],
    ["a link to a file inside", linkTo("manifest.json")],
    ["a link below a folder", linkTo("../../outside/secret.txt", "lib/link")],
    [
      "a junction to a folder outside",
      ({ folder, outside }) => symlinkSync(outside, join(folder, "link"), "junction"),
    ],
    [
      "a link in place of the manifest",
      ({ folder, secret }) => {
        unlinkSync(join(folder, "manifest.json"));
        symlinkSync(secret, join(folder, "manifest.json"));
      },
    ],
  ] satisfies [string, HostileFolder["make"]][]
).map(([what, make]): HostileFolder => {
  const name = what.endsWith("the manifest") ? '"manifest.json"' : 'link"';
  return { what, make, code: "archive_symlink", text: name };
});

const pipe = (path: string) => {
  execFileSync("mkfifo", [path]);
};

const specialFiles = (
  [
    ["a pipe without a writer", ({ folder }) => pipe(join(folder, "special"))],
    [
      "a device, or a pipe where only the superuser may make a device",
      ({ folder }) => {
        try {
          execFileSync("mknod", [join(folder, "special"), "c", "1", "5"], { stdio: "ignore" });
        } catch {
          pipe(join(folder, "special"));
        }
      },
    ],
    [
      "a socket",
      ({ folder }) => {
        // A killed process does not remove its socket.
        const script = "createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
        spawnSync(process.execPath, ["-e", `require("node:net").${script}`, join(folder, "special")]);
      },
    ],
  ] satisfies [string, HostileFolder["make"]][]
).map(
  ([what, make]): HostileFolder => ({
    what,
    make,
    code: "archive_special_file",
    text: 'Neither files nor folders (1): "special"',
  }),
);

/** Writes empty files whose names may be bytes. */
function named(...names: readonly (string | Buffer)[]): HostileFolder["make"] {
  return ({ folder }) => {
    for (const name of names) {
      const location = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]);
      mkdirSync(location.subarray(0, location.lastIndexOf("/")), { recursive: true });
      writeFileSync(location, "");
    }
  };
}

const names = refusedNames.map(
  (each): HostileFolder => ({ ...each, make: named(...each.names), linuxOnly: true }),
);

const changes = (
  [
    ["that is written to", ({ file }) => appendFileSync(file, "more")],
    ["that is written with as many bytes", ({ file }) => writeFileSync(file, "z")],
    ["that is removed", ({ file }) => unlinkSync(file)],
    [
      "that a link to a file outside replaces",
      ({ file, secret }) => {
        unlinkSync(file);
        symlinkSync(secret, file);
      },
    ],
    [
      "that a pipe replaces",
      ({ file }) => {
        unlinkSync(file);
        pipe(file);
      },
    ],
    [
      "that a folder replaces",
      ({ file }) => {
        unlinkSync(file);
        mkdirSync(file);
      },
    ],
    [
      "whose folder is replaced by a link to one outside with such a file",
      ({ folder, outside }) => {
        renameSync(join(folder, "lib"), join(folder, "old"));
        symlinkSync(outside, join(folder, "lib"));
      },
    ],
  ] satisfies [string, (place: Place & { readonly file: string }) => void][]
).map(
  ([what, change]): HostileFolder => ({
    what: `a file ${what}`,
    make: (place) => change({ ...place, file: join(place.folder, "lib", "b.js") }),
    when: "after listing",
    code: "archive_changed_while_reading",
    text: '"lib/b.js"',
  }),
);

/** Beginning of a private key, in parts, so that this file itself may be packed. */
const begin = (kind: string, end = "") => `-----BEGIN ${kind}PRIVATE ${"KEY"}${end}-----`;

const keys = (
  [
    ["of RSA", begin("RSA ")],
    ["of an elliptic curve", begin("EC ")],
    ["in PKCS #8", begin("")],
    ["in PKCS #8, encrypted", begin("ENCRYPTED ")],
    ["of OpenSSH", begin("OPENSSH ")],
    ["of PGP", begin("PGP ", " BLOCK")],
    ["in a string of JSON", `{"key":"${begin("")}\\nMIIE"}`],
    ["after a megabyte of code", `${"a".repeat(1024 * 1024 - 20)}${begin("RSA ")}`],
  ] satisfies [string, string][]
).map(
  ([what, contents]): HostileFolder => ({
    what: `a private key ${what}`,
    make: ({ folder }) =>
      writeFileSync(join(folder, "notes.txt"), `${contents}\nMIIEpAIBAAKCAQEAx3Qy7v0m8w2JfZp4\n`),
    code: "archive_private_key",
    text: 'Files with a private key (1): "notes.txt"',
  }),
);

/** All hostile folders of the tests. */
export const hostileFolders: readonly HostileFolder[] = [
  ...links,
  ...specialFiles,
  ...names,
  ...changes,
  ...keys,
];
