import { LoginWatchers } from "../../src/emulator/logins/subscribers.js";
import type { StreamSink } from "../../src/emulator/http/stream-response.js";

const state = (text: string, isLast = false) => ({ text, isLast });

describe("emulator: who follows a login and reads slowly", () => {
  let sent: string[];
  let hasRoom: boolean;
  let watchers: LoginWatchers;
  let sink: StreamSink;

  beforeEach(() => {
    sent = [];
    hasRoom = false;
    watchers = new LoginWatchers(60_000, () => new Date());
    sink = {
      send: (piece) => {
        sent.push(piece);
        return hasRoom;
      },
      end: () => sent.push("(end)"),
    };
  });

  /** A follower whose connection is full after the present state. */
  function slowFollower() {
    const source = watchers.add("a", () => state("present"));
    source.opened(sink);
    return {
      catchUp: () => {
        hasRoom = true;
        source.drained();
      },
      leave: () => source.closed(),
    };
  }

  test("gets the latest state once there is room again, and none between", () => {
    const { catchUp, leave } = slowFollower();
    for (const text of ["one", "two"]) {
      watchers.show("a", () => state(text));
    }
    catchUp();
    expect(sent).toEqual(["present", "two"]);
    leave();
  });

  test("gets the end of the login it follows, and nothing of the next one", () => {
    const { catchUp } = slowFollower();
    watchers.show("a", () => state("last", true));
    watchers.show("a", () => state("another login"));
    catchUp();
    expect([sent, watchers.count("a")]).toEqual([["present", "last", "(end)"], 0]);
  });

  test("gets the end of its login also when the connection is deleted meanwhile", () => {
    const { catchUp } = slowFollower();
    watchers.show("a", () => state("last", true));
    watchers.end("a");
    expect(sent).toEqual(["present"]);
    catchUp();
    expect([sent, watchers.count("a")]).toEqual([["present", "last", "(end)"], 0]);
  });

  test("is let go at once when the connection is deleted and nothing waits to be sent", () => {
    slowFollower();
    watchers.end("a");
    expect([sent, watchers.count("a")]).toEqual([["present", "(end)"], 0]);
  });
});
