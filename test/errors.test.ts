import { ApiError, BrowserInfraError } from "../src/errors.js";

describe("errors", () => {
  test("belong to one family and tell their kind by name", () => {
    const error = new ApiError("not_found", 'Reading extension "a" failed: 404 not_found.', {
      status: 404,
      serviceCode: "not_found",
      request: { method: "GET", path: "/extensions/a/metadata" },
    });
    expect(error).toBeInstanceOf(BrowserInfraError);
    expect(error.name).toBe("ApiError");
    expect(error.status).toBe(404);
  });
});
