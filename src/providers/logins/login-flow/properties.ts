import type { LoginStateEvent } from "../../../client/index.js";
import { settingProblems } from "../../../client/options.js";
import { withoutQuery } from "../../../text/redact.js";
import type { CheckFailure } from "../../lifecycle.js";
import { formFailures } from "../../messages/input-failures.js";
import { isTimeout, timeoutHint } from "../../messages/timeouts.js";
import { Properties, type PropertiesOf, type PropertyMap, t } from "../../properties.js";

/** Default wait for a login. The service ends a flow after 20 minutes. */
export const timeoutDefault = "25m";

/** Form of an id of an auth connection. The id is part of a path. */
const idPattern = /^(?!\.+$)[A-Za-z0-9._-]{1,255}$/;

export const loginFlowInputs = new Properties({
  connectionId: { ...t.string, isRequired: true, replaces: true },
  projectId: t.string,
  timeout: { ...t.string, isInternal: true },
  triggers: { ...t.anything, replaces: true, isInternal: true },
  onFailure: {
    ...t.oneOf({
      fail: "Stops the deployment with the service's reason. The default.",
      continue: "Lets the deployment continue.",
    }),
    isInternal: true,
  },
});

export type LoginFlowInputs = PropertiesOf<typeof loginFlowInputs>;

/** Outcome of an ended login, as reported by the service. */
const outcome = {
  flowStatus: t.string,
  flowType: t.string,
  completedAt: t.string,
  postLoginUrl: t.string,
  errorCode: t.string,
  errorMessage: t.string,
  hostedUrl: { ...t.string, isSecret: true },
  liveViewUrl: { ...t.string, isSecret: true },
} as const;

export const loginFlowState = new Properties({ ...loginFlowInputs.types, ...outcome });
export type LoginFlowState = PropertiesOf<typeof loginFlowState>;

export function outcomeOf(state: LoginStateEvent | undefined): LoginFlowState {
  return {
    flowStatus: state?.flowStatus,
    flowType: state?.flowType ?? undefined,
    completedAt: state?.timestamp ?? undefined,
    postLoginUrl: state?.postLoginUrl ? withoutQuery(state.postLoginUrl) : undefined,
    // Addresses in the last event, usually none. Addresses in earlier events are used up and best
    // stored nowhere.
    hostedUrl: state?.hostedUrl ?? undefined,
    liveViewUrl: state?.liveViewUrl ?? undefined,
  };
}

/** Reports all invalid inputs of a LoginFlow at once. Unknown values pass. */
export function loginFlowFailures(news: PropertyMap): CheckFailure[] {
  const forms = {
    connectionId:
      "must be the id of an auth connection as the service shows it: 1 to 255 of A-Z a-z 0-9 . _ -. A URL or a domain with a path is not an id",
    timeout: `must be a duration from 1s to 24 days${timeoutHint(news.timeout)}`,
  };
  return formFailures(news, loginFlowInputs, "A LoginFlow", forms, ({ connectionId, timeout }) =>
    settingProblems([
      ["connectionId", connectionId !== undefined && !idPattern.test(connectionId) && forms.connectionId],
      ["timeout", timeout !== undefined && !isTimeout(timeout) && forms.timeout],
    ]),
  );
}
