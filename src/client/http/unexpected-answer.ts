import { ContractError, type RequestContext } from "../../errors.js";

/** The `ContractError` for a success answer of another form than agreed. `doing` begins the message, `what` says what is wrong with it. */
export function unexpectedAnswer(
  call: { readonly doing: string },
  context: RequestContext,
  what: string,
): ContractError {
  const report = context.requestId === undefined ? "." : ` with request id ${context.requestId}.`;
  return new ContractError(
    `${call.doing} got an unexpected answer: ${what}. Check that the base URL is the service's; if it is, this is a fault of the service or of this package: please report it${report}`,
    context,
  );
}
