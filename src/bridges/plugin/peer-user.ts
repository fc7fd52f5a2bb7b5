/** User of a process that connects, from the connection tables of Linux. */
import { readFile } from "node:fs/promises";
import { isIPv4, type Socket } from "node:net";
import { endianness } from "node:os";

/** Tables of the network namespace of this process. Source: Linux, proc_net_tcp. */
const tables = ["/proc/net/tcp", "/proc/net/tcp6"];

const established = "01";
const listening = "0A";

/** Reads of the tables: a row may be missing in a single read, because other rows come and go. */
const readsMax = 3;

/** Both ends of an accepted connection. */
export type Connection = Pick<Socket, "localAddress" | "localPort" | "remoteAddress" | "remotePort">;

/**
 * Returns the user id of the process at the other end of a connection. Undefined if the tables do
 * not list the other end: the process is in another network namespace, or has closed the
 * connection. Older kernels report root as the user of a closed end, so only an open end counts.
 */
export async function peerUser(connection: Connection): Promise<number | undefined> {
  const peer = endpoint(connection.remoteAddress, connection.remotePort);
  const own = endpoint(connection.localAddress, connection.localPort);
  for (let reads = 0; reads < readsMax; reads += 1) {
    for (const row of await rowsOf([connection.remotePort, connection.localPort])) {
      if (row.isOpen && row.state === established && row.local() === peer && row.remote() === own) {
        return row.user;
      }
    }
  }
  return undefined;
}

/**
 * Whether the tables tell users apart: they list a listening socket of this process under its user.
 * False without `/proc` (macOS), and for a process that runs as the stand-in for users who are
 * unknown in its user namespace.
 */
export async function canTellUsers(address: string, port: number): Promise<boolean> {
  const own = endpoint(address, port);
  try {
    const rows = await rowsOf([port]);
    const isListed = rows.some(
      (row) => row.state === listening && row.local() === own && row.user === process.geteuid?.(),
    );
    return isListed && !(await isStandIn());
  } catch {
    return false;
  }
}

/** Whether the user id of this process may also stand for users outside of the user namespace. */
async function isStandIn(): Promise<boolean> {
  const standIn = Number(await readFile("/proc/sys/kernel/overflowuid", "utf8"));
  const namespace = await readFile("/proc/self/uid_map", "utf8");
  const hasAllUsers = /^\s*0\s+0\s+4294967295\s*$/.test(namespace);
  return process.geteuid?.() === standIn && !hasAllUsers;
}

/** Row of a table. The addresses are read late: a busy machine has many rows. */
interface Row {
  readonly local: () => string;
  readonly remote: () => string;
  readonly state: string;
  readonly user: number;
  /** Whether a process still has the socket. */
  readonly isOpen: boolean;
}

/** Rows in which the local and, if given, the remote port are the wanted ports. */
async function rowsOf([localPort, remotePort]: readonly (number | undefined)[]): Promise<Row[]> {
  const texts = await Promise.all(
    // Without IPv6, the second table does not exist.
    tables.map((table, at) =>
      readFile(table, "latin1").catch((error) => (at === 0 ? Promise.reject(error) : "")),
    ),
  );
  return texts.flatMap((text) =>
    text.split("\n").flatMap((line) => {
      const [, local = "", remote = "", state = "", , , , user, , inode = "0"] = line.trim().split(/\s+/);
      const isWanted =
        local.endsWith(portEnd(localPort)) &&
        (remotePort === undefined || remote.endsWith(portEnd(remotePort)));
      return isWanted
        ? [
            {
              local: () => rowEndpoint(local),
              remote: () => rowEndpoint(remote),
              state,
              user: Number(user),
              isOpen: inode !== "0",
            },
          ]
        : [];
    }),
  );
}

function portEnd(port = 0): string {
  return `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Endpoint in a row: words of the address in the byte order of the machine, and the port. */
function rowEndpoint(text: string): string {
  const [address = "", port = ""] = text.split(":");
  const words = address.match(/.{8}/g) ?? [];
  const bytes = Buffer.concat(
    words.map((word) => {
      const inOrder = Buffer.from(word, "hex");
      return endianness() === "LE" ? inOrder.reverse() : inOrder;
    }),
  );
  return endpoint(bytes.length === 4 ? bytes.join(".") : groupsOf(bytes), Number.parseInt(port, 16));
}

function groupsOf(bytes: Buffer): string {
  return (bytes.toString("hex").match(/.{4}/g) ?? []).join(":");
}

/** One spelling for an address and a port. An IPv4 address equals its IPv4-mapped IPv6 address. */
function endpoint(address = "", port = 0): string {
  const inIpv6 = isIPv4(address) ? `::ffff:${address}` : address.replace(/%.*/, "");
  return `${new URL(`tcp://[${inIpv6}]`).hostname} ${port}`;
}
