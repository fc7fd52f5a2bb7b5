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

  test("gets the latest state once there is room again, and none in between", () => {
    const { catchUp, leave } = slowSubscriber();
    for (const text of ["one", "two"]) {
      subscribers.sendState("a", () => state(text));
    }
    catchUp();
    expect(sent).toEqual(["present", "two"]);
    leave();
  });

  test("gets the end of the login it follows, and nothing of the next one", () => {
    const { catchUp } = slowSubscriber();
    subscribers.sendState("a", () => state("last", true));
    subscribers.sendState("a", () => state("another login"));
    catchUp();
    expect([sent, subscribers.count("a")]).toEqual([["present", "last", "(end)"], 0]);
  });

  test("gets the end of its login even when the connection is deleted in the meantime", () => {
    const { catchUp } = slowSubscriber();
    subscribers.sendState("a", () => state("last", true));
    subscribers.end("a");
    expect(sent).toEqual(["present"]);
    catchUp();
    expect([sent, subscribers.count("a")]).toEqual([["present", "last", "(end)"], 0]);
  });

  test("ends at once when the connection is deleted and nothing waits to be sent", () => {
    slowSubscriber();
    subscribers.end("a");
    expect([sent, subscribers.count("a")]).toEqual([["present", "(end)"], 0]);
  });
});
