import { execFileSync } from "node:child_process";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { useEmulator } from "../../../support/emulator.js";
import { testWhereAvailable } from "../../../support/where-available.js";
import { PlayedResource } from "../../played-resource.js";
import { startPlugin } from "../plugin-requests.js";

const otherUser = 65534;
const methods = Object.keys(ResourceProviderService);
const script = join(__dirname, "call-all.cjs");

type Statuses = Readonly<Record<string, { readonly code: grpc.status; readonly details?: string }>>;

/** Statuses of all methods, by the name of the method, for a caller of a user. */
function statusesFor(user: number, port: string, wrapper: readonly string[] = []): Statuses {
  const [command, ...args] = [...wrapper, process.execPath, script, port, `${user}`];
  return JSON.parse(execFileSync(command as string, args, { encoding: "utf8" }));
}

const missing =
  process.platform !== "linux"
    ? "Only Linux shows the users of connections."
    : process.getuid?.() === 0
      ? undefined
      : "Only root can act as another user.";

describe("the callers of the plugin", () => {
  const emulator = useEmulator();

  testWhereAvailable(
    "X20: another user of the machine is refused by every method of the protocol",
    missing,
    async () => {
      for (const isConfigured of [false, true]) {
        const environment = {
          BROWSER_INFRA_BASE_URL: emulator.url,
          BROWSER_INFRA_API_KEY: emulator.apiKeys[0],
        };
        const provider = await startPlugin({ isConfigured, environment });
        try {
          const statuses = statusesFor(otherUser, provider.port);
          expect(Object.keys(statuses)).toEqual(methods);
          for (const method of methods) {
            expect([method, statuses[method]]).toEqual([
              method,
              {
                code: grpc.status.PERMISSION_DENIED,
                details:
                  "The provider plugin answers only the user 0, who started the plugin. This call comes from the user 65534. " +
                  "Run Pulumi and the plugin as the same user, in the same container.",
              },
            ]);
          }
          // The refused Cancel and Configure have changed nothing.
          await provider.configure();
          const keyId = emulator.createApiKey({ name: "before" }).id;
          await new PlayedResource(provider, { kind: "ApiKeyName" }).deploy({
            keyId,
            name: `ci-${isConfigured}`,
          });
        } finally {
          await provider.stop();
        }
      }
    },
  );

  testWhereAvailable("every method answers the user of the plugin", missing, async () => {
    const provider = await startPlugin();
    try {
      const denied = Object.entries(statusesFor(0, provider.port)).filter(
        ([, { code }]) => code === grpc.status.PERMISSION_DENIED,
      );
      expect(denied).toEqual([]);
    } finally {
      await provider.stop();
    }
  });

  testWhereAvailable(
    "X20: a caller whose connection the tables do not list, as in another network namespace, is refused",
    process.platform === "linux" ? undefined : "Only Linux shows the users of connections.",
    async () => {
      const preload = join(__dirname, "hidden-tables.cjs");
      const environment = { NODE_OPTIONS: `--require ${preload}`, HIDDEN_TABLES: "connections" };
      // The first call of the played engine.
      await expect(startPlugin({ environment })).rejects.toMatchObject({
        code: grpc.status.PERMISSION_DENIED,
        details: expect.stringContaining("/proc/net/tcp does not list the connection"),
      });
    },
  );
});
