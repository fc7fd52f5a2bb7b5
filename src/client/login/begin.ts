import type { Clock } from "../http/clock.js";
import type { AuthConnection } from "../types.js";
import { isFinal } from "./events.js";

/** Time between two looks whether a login has begun. Milliseconds. */
const beginLookMs = 3_000;

/**
 * Whether there is a login to follow: one has `begun`, and goes on or ended in a way that still says how the profile stands; one has `not_begun`;
 * or one is `not_needed`, because the profile is logged in.
 */
export type LoginStanding = "begun" | "not_begun" | "not_needed";

/** How a connection stands before its login is followed. */
export function loginStanding({ flowStatus, status }: AuthConnection): LoginStanding {
  if (flowStatus !== null) {
    // A login of long ago says nothing where the profile stands otherwise than it ended: logged out after a success, logged in after any other end.
    const belied = flowStatus === "SUCCESS" ? "NEEDS_AUTH" : "AUTHENTICATED";
    if (!isFinal({ flowStatus }) || status !== belied) {
      return "begun";
    }
  }
  return status === "AUTHENTICATED" ? "not_needed" : "not_begun";
}

/** Reads a connection again and again while its login has not begun. `see` is called with the first reading, and when the standing is another. */
export async function untilBegun(
  read: () => Promise<AuthConnection>,
  see: (connection: AuthConnection) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<"begun" | "not_needed"> {
  let seen: LoginStanding | undefined;
  for (;;) {
    const connection = await read();
    const standing = loginStanding(connection);
    if (standing !== seen) {
      see(connection);
    }
    if (standing !== "not_begun") {
      return standing;
    }
    seen = standing;
    await clock.sleep(beginLookMs, signal);
  }
}
