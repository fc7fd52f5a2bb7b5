/** An error with the members that errors of this package may have. */
type AnyError = Error & { readonly code?: string; readonly property?: string };

/** The error that a promise rejects with. Fails when it is fulfilled. */
export async function errorOf(promise: Promise<unknown>): Promise<AnyError> {
  return promise.then(
    (value) => {
      throw new Error(`expected an error, got ${JSON.stringify(value)}`);
    },
    (error: AnyError) => error,
  );
}
