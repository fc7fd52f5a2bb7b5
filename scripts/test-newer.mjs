/**
 * `npm run test:newer`: compares the project with the newest version of the service's official
 * client, then runs `.ci/run` as if a newer version of every package had been published. A proxy on
 * this machine lists such a version of every package that npm, pip and Go look up, and has no files
 * of these versions. The run therefore fails if a test or the set-up takes the newest version.
 * Prints the number of added versions, and the requested files of added versions.
 * `npm run test:newer -- --client` only compares.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { projectFolder } from "./setup/project.mjs";

/** Marks the added versions, in each registry's own form. */
const major = 9999;

/** Packages that got a newer version, by registry, and requests for files of these versions. */
const added = { npm: new Set(), pip: new Set(), go: new Set() };
/** @type {string[]} */
const taken = [];

/** @param {string} command @param {string[]} args */
const printed = (command, ...args) => execFileSync(command, args, { encoding: "utf8" }).trim();
const pipDefault = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)";

/** Addresses of this machine's registries, without a slash at the end. */
const registries = {
  npm: printed("npm", "config", "get", "registry").replace(/\/$/, ""),
  pip: (process.env.PIP_INDEX_URL ?? printed("python3", "-c", pipDefault)).replace(/\/$/, ""),
  go: printed("go", "env", "GOPROXY").split(/[,|]/)[0] ?? "",
};

/**
 * Response of a registry with a newer version added; undefined if the response is no list of
 * versions.
 *
 * @type {Record<keyof typeof registries, (path: string, received: string) => string | undefined>}
 */
const withNewer = {
  npm(path, received) {
    const document = path.includes("/-/") ? undefined : JSON.parse(received);
    const latest = document?.versions?.[document["dist-tags"]?.latest];
    if (latest === undefined) {
      return undefined;
    }
    const version = `${major}.0.0`;
    const newer = (/** @type {string} */ base) => {
      const manifest = document.versions[base];
      const [from] = base.split("-");
      const [first = "0"] = (from ?? "").split(".");
      // In the range of "^": the same major version, or the same minor version below 1.0.0.
      const next = first === "0" ? `0.${base.split(".")[1]}.${major}` : `${first}.${major}.0`;
      for (const each of [next, version]) {
        const tarball = manifest.dist.tarball.replace(/[^/]+$/, `${each}.tgz`);
        document.versions[each] = { ...manifest, version: each, dist: { tarball, shasum: "0".repeat(40) } };
        if (document.time) {
          document.time[each] = new Date().toISOString();
        }
      }
    };
    // Newest version of each major version, as requested by ranges.
    const newest = new Map(Object.keys(document.versions).map((each) => [each.split(".")[0], each]));
    for (const base of newest.values()) {
      newer(base);
    }
    document["dist-tags"].latest = version;
    added.npm.add(document.name);
    return JSON.stringify(document);
  },
  pip(path, received) {
    const name = /^\/([^/]+)\/$/.exec(path)?.[1];
    if (name === undefined) {
      return undefined;
    }
    added.pip.add(name);
    const file = `${name.replaceAll("-", "_")}-${major}.0-py3-none-any.whl`;
    return received.replace("</body>", `<a href="${file}">${file}</a><br/></body>`);
  },
  go(path, received) {
    if (!/\/@v\/list$|\/@latest$/.test(path)) {
      return undefined;
    }
    added.go.add(path.replace(/\/@.*/, ""));
    const known = received.match(/v\d+\.\d+\.\d+/g)?.at(-1) ?? "v0.0.0";
    const version = known.replace(/\d+$/, String(major));
    return path.endsWith("/list")
      ? `${received}${version}\n`
      : JSON.stringify({ Version: version, Time: new Date().toISOString() });
  },
};

const clientCode = compareWithNewestClient();
if (process.argv.includes("--client")) {
  process.exit(clientCode);
}

/** @type {import("node:http").Server[]} */
const servers = [];
const run = spawn("bash", [join(projectFolder, ".ci", "run")], {
  stdio: "inherit",
  env: {
    ...process.env,
    npm_config_registry: `${await listen("npm")}/`,
    PIP_INDEX_URL: await listen("pip"),
    GOPROXY: await listen("go"),
  },
});
const [code] = await once(run, "exit");
for (const server of servers) {
  server.close();
  server.closeAllConnections();
}
for (const [registry, packages] of Object.entries(added)) {
  console.log(`${registry}: a newer version of ${packages.size} packages was listed.`);
}
console.log(`Files of these versions that were requested: ${taken.join(", ") || "none"}.`);
process.exitCode = (code ?? 1) || clientCode;

/**
 * Installs the newest official client in a temporary folder, runs no script of it, and compares its
 * types with the project (test/repository/service). Returns the exit code.
 */
function compareWithNewestClient() {
  const folder = mkdtempSync(join(tmpdir(), "newest-client-"));
  try {
    const client = "@onkernel/sdk";
    printed("npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", `${client}@latest`);
    const installed = join(folder, "node_modules", client);
    const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    console.log(`The newest official client is ${client} ${version}.`);
    const compare = [join(projectFolder, "scripts", "test.mjs"), "test/repository/service/official"];
    const env = { ...process.env, OFFICIAL_CLIENT: installed };
    const { status } = spawnSync(process.execPath, compare, { cwd: projectFolder, stdio: "inherit", env });
    if (status !== 0) {
      console.log("The service has moved. docs/maintainers/service-versions.md says what to do.");
    }
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Starts the proxy of a registry, on a separate port: npm expects the files at the paths of the
 * registry.
 *
 * @param {keyof typeof registries} registry
 * @returns {Promise<string>} address.
 */
async function listen(registry) {
  const server = createServer((request, response) => {
    answer(registry, request, response).catch((error) => {
      response.writeHead(502).end(String(error));
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
}

/**
 * Passes a request on to the registry.
 *
 * @param {keyof typeof registries} registry
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function answer(registry, request, response) {
  const path = request.url ?? "";
  if (path.includes(String(major))) {
    taken.push(`${registry}${path}`);
    response.writeHead(404).end();
    return;
  }
  const accept = registry === "pip" ? "text/html" : (request.headers.accept ?? "*/*");
  const body = request.method === "GET" ? undefined : await text(request);
  const upstream = await fetch(registries[registry] + path, {
    method: request.method ?? "GET",
    headers: { accept, ...(body && { "content-type": request.headers["content-type"] ?? "" }) },
    ...(body && { body }),
  });
  const type = upstream.headers.get("content-type") ?? "application/octet-stream";
  if (upstream.ok && /json|html|text/.test(type)) {
    const received = await upstream.text();
    response.writeHead(200, { "content-type": type });
    response.end(withNewer[registry](path, received) ?? received);
    return;
  }
  response.writeHead(upstream.status, { "content-type": type });
  await (upstream.body ? pipeline(upstream.body, response) : response.end());
}
