import { AsyncLocalStorage } from "node:async_hooks";
import * as grpc from "@grpc/grpc-js";

/** Methods open to every caller before Configure. The responses are public. */
const openMethods: readonly string[] = ["handshake", "getPluginInfo", "getSchema"];

/** Implementation of a method. Only a method with a single response gets `respond`. */
type Handler = (
  call: grpc.ServerUnaryCall<unknown, unknown> & grpc.ServerWritableStream<unknown, unknown>,
  respond: grpc.sendUnaryData<unknown> | undefined,
) => void;

interface RunningCall {
  readonly method: string;
  /** Address and port of the caller, which identify an open connection. */
  readonly peer: string;
}

/**
 * Limits for callers on a machine that does not tell the users of connections (macOS). The engine's
 * own connection is the connection whose Handshake the plugin accepted: only one can be. Before
 * Configure, any other connection gets public responses. Later, a call on another connection may be
 * the engine's as well, because gRPC replaces an idle connection; such a call reads only the
 * variables, settings and folders that the engine has named in a Check on its own connection.
 */
export class CallerLimits {
  readonly #calls = new AsyncLocalStorage<RunningCall>();
  readonly #namedByEngine = new Set<string>();
  #isOwnUserOnly = false;
  #enginePeer: string | undefined;
  #isConfigured = false;

  /** Ends the limits: every connection is of the user of this process. */
  lift(): void {
    this.#isOwnUserOnly = true;
  }

  /** Notes that the call under way is of the engine. A new engine starts from scratch. */
  noteEngine(): void {
    this.#enginePeer = this.#calls.getStore()?.peer;
    this.#isConfigured = false;
    this.#namedByEngine.clear();
  }

  noteConfigured(): void {
    this.#isConfigured = true;
  }

  /** Notes the end of a connection: a new connection may have the same port. */
  noteClosed(peer: string): void {
    if (peer === this.#enginePeer) {
      this.#enginePeer = undefined;
    }
  }

  /** Whether the call under way may read a variable, a setting or a folder named in the program. */
  mayRead(place: string): boolean {
    const call = this.#calls.getStore();
    if (this.#isOwnUserOnly || call === undefined) {
      return true;
    }
    if (call.peer !== this.#enginePeer) {
      return this.#namedByEngine.has(place);
    }
    if (call.method === "check") {
      this.#namedByEngine.add(place);
    }
    return true;
  }

  /** Puts the limits in front of every method. */
  guard(methods: grpc.UntypedServiceImplementation): grpc.UntypedServiceImplementation {
    const guarded = Object.entries(methods).map(([method, handle]) => [
      method,
      this.#guarded(method, handle as Handler),
    ]);
    return Object.fromEntries(guarded);
  }

  #guarded(method: string, handle: Handler): Handler {
    return (call, respond) => {
      const peer = call.getPeer();
      const isOpen = this.#isOwnUserOnly || this.#isConfigured || openMethods.includes(method);
      if (isOpen || peer === this.#enginePeer) {
        this.#calls.run({ method, peer }, () => handle(call, respond));
      } else {
        const status = { code: grpc.status.PERMISSION_DENIED, details: refusal };
        respond === undefined ? call.emit("error", status) : respond(status);
      }
    };
  }
}

const refusal =
  "The provider plugin is not configured yet, and until then answers only the engine that started the plugin.";
