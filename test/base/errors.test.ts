import { inspect, types } from "node:util";
import { ApiError, BrowserInfraError, InputError, isBrowserInfraError } from "../../src/errors.js";

describe("errors", () => {
  test("an ApiError is a BrowserInfraError, and the name of the error is the class name", () => {
    const error = new ApiError("not_found", 'Reading extension "a" failed: 404 not_found.', {
      status: 404,
      serviceCode: "not_found",
      request: { method: "GET", path: "/extensions/a/metadata" },
    });
    expect(error).toBeInstanceOf(BrowserInfraError);
    expect(error.name).toBe("ApiError");
    expect(error.status).toBe(404);
  });

  test("withAdvice returns a copy of the error that differs only in the longer message", () => {
    const cause = new Error("socket hang up");
    const error = new InputError("path_invalid", "path", '"path" is empty.', { cause });
    const advised = error.withAdvice("Give the path of a folder.");
    expect(error.message).toBe('"path" is empty.');
    expect(advised).not.toBe(error);
    expect(advised).toBeInstanceOf(InputError);
    expect(advised).toMatchObject({
      name: "InputError",
      code: "path_invalid",
      property: "path",
      message: '"path" is empty. Give the path of a folder.',
      cause,
    });
    expect(types.isNativeError(advised)).toBe(true);
    expect(advised.stack).toBe(error.stack?.replace(error.message, advised.message));
    expect(inspect(advised)).toContain('"path" is empty. Give the path of a folder.\n    at ');
    expect(Object.keys(advised)).toEqual(Object.keys(error));
  });

  test("isBrowserInfraError recognizes errors of a second copy of the package", () => {
    let other: Error | undefined;
    jest.isolateModules(() => {
      const copy = require("../../src/errors.js") as typeof import("../../src/errors.js");
      other = new copy.InputError("path_invalid", "path", "It is empty.");
    });
    expect(other).not.toBeInstanceOf(BrowserInfraError);
    expect(isBrowserInfraError(other)).toBe(true);
    expect(isBrowserInfraError(new Error("It is empty."))).toBe(false);
    expect(isBrowserInfraError(null)).toBe(false);
  });
});
