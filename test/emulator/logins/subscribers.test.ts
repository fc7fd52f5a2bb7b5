import type { StreamSink } from "../../../src/emulator/http/exchange.js";
import { Subscribers } from "../../../src/emulator/logins/subscribers.js";

const state = (text: string, isLast = false) => ({ text, isLast });

describe("emulator: a subscriber that reads slowly", () => {
  let sent: string[];
  let hasRoom: boolean;
  let subscribers: Subscribers;
  let sink: StreamSink;

  beforeEach(() => {
    sent = [];
    hasRoom = false;
    subscribers = new Subscribers(60_000, () => new Date());
    sink = {
      send: (piece) => {
        sent.push(piece);
        return hasRoom;
      },
      end: () => sent.push("(end)"),
    };
  });

  /** A subscriber whose connection is full after the present state. */
  function slowSubscriber() {
    const source = subscribers.add("a", () => state("present"));
    source.onOpen(sink);
    return {
      catchUp: () => {
        hasRoom = true;
        source.onDrain();
      },
      leave: () => source.onClose(),
    };
  }

  test("a slow subscriber gets the latest state once the connection has room, and no state in between", () => {
    const { catchUp, leave } = slowSubscriber();
    for (const text of ["one", "two"]) {
      subscribers.sendState("a", () => state(text));
    }
    catchUp();
    expect(sent).toEqual(["present", "two"]);
    leave();
  });

  test("a slow subscriber gets the end of the followed login, and nothing of the next login", () => {
    const { catchUp } = slowSubscriber();
    subscribers.sendState("a", () => state("last", true));
    subscribers.sendState("a", () => state("another login"));
    catchUp();
    expect([sent, subscribers.count("a")]).toEqual([["present", "last", "(end)"], 0]);
  });

  test("a slow subscriber gets the end of the followed login even if the auth connection is deleted meanwhile", () => {
    const { catchUp } = slowSubscriber();
    subscribers.sendState("a", () => state("last", true));
    subscribers.end("a");
    expect(sent).toEqual(["present"]);
    catchUp();
    expect([sent, subscribers.count("a")]).toEqual([["present", "last", "(end)"], 0]);
  });

  test("the stream of a subscriber without unsent states ends at once when the auth connection is deleted", () => {
    slowSubscriber();
    subscribers.end("a");
    expect([sent, subscribers.count("a")]).toEqual([["present", "(end)"], 0]);
  });
});
