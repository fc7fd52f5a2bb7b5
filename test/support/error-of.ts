/** An error with the members that errors of this package may have. */
type AnyError = Error & { readonly code?: string; readonly property?: string };

/** Error of a rejected promise. Throws if the promise is fulfilled. */
export async function errorOf(promise: Promise<unknown>): Promise<AnyError> {
  return promise.then(
    (value) => {
      throw new Error(`expected an error, got ${JSON.stringify(value)}`);
    },
    (error: AnyError) => error,
  );
}
