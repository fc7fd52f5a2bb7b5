import { connect, type Socket } from "node:net";
import type { Emulator } from "../../../src/emulator/index.js";

/** An event stream read byte by byte, without a decoder. */
export interface OpenStream {
  readonly socket: Socket;
  /** Everything received so far, headers included. */
  text(): string;
  /** Resolves once a string was received; fails when the connection ends before. */
  until(expected: string): Promise<string>;
  /** Resolves at the end of the connection, with the code of the error, if any. */
  readonly ended: Promise<string | undefined>;
}

/** Follows a connection over a separate socket. */
export function openStream(emulator: Emulator, id: string, key = "sk_emulator"): OpenStream {
  const socket = connect(Number(new URL(emulator.url).port), "127.0.0.1").setEncoding("utf8");
  let text = "";
  let errorCode: string | undefined;
  let wake = () => {};
  socket.on("data", (chunk: string) => {
    text += chunk;
    wake();
  });
  socket.on("error", ({ code }: NodeJS.ErrnoException) => {
    errorCode = code;
  });
  const ended = new Promise<string | undefined>((resolve) => {
    socket.once("close", () => {
      resolve(errorCode);
      wake();
    });
  });
  socket.write(
    `GET /auth/connections/${id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  return {
    socket,
    ended,
    text: () => text,
    until: async (expected) => {
      while (!text.includes(expected)) {
        if (socket.closed) {
          throw new Error(`The stream ended without "${expected}": ${text}`);
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return text;
    },
  };
}

/** The events received, in order. */
export function eventsIn(text: string): readonly Record<string, unknown>[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
}
