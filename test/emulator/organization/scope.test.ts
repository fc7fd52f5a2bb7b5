import { useEmulator } from "../../support/emulator.js";
import { call, refusal, stored } from "../calls.js";

const byId = "x-kernel-project-id";
const byName = "x-kernel-project";

describe("emulator: project scope", () => {
  const emulator = useEmulator();
  beforeEach(() => {
    emulator.createProject({ id: "staging-id", name: "staging" });
    emulator.createProject({ id: "live-id", name: "Größe & Live" });
  });

  const names = async (headers: Record<string, string>) => {
    const response = await call(emulator, "GET", "/extensions", headers);
    expect(response.status).toBe(200);
    return ((await response.json()) as { name: string }[]).map(({ name }) => name);
  };

  test("an extension is invisible in other projects, and two projects may use one extension name", async () => {
    await stored(emulator, { name: "same", headers: { [byId]: "staging-id" } });
    await stored(emulator, { name: "same", headers: { [byName]: "live-id" } });
    const { id } = await stored(emulator, { name: "here" });
    expect(await names({ [byId]: "staging-id" })).toEqual(["same"]);
    expect(await names({ [byName]: "live-id" })).toEqual(["same"]);
    expect(await names({})).toEqual(["here"]);
    expect(emulator.extensions.list("live-id")).toHaveLength(1);
    const reading = await call(emulator, "GET", `/extensions/${id}/metadata`, { [byId]: "staging-id" });
    expect(await refusal(reading)).toMatchObject({ status: 404, code: "not_found" });
    expect((await call(emulator, "DELETE", "/extensions/here", { [byId]: "staging-id" })).status).toBe(404);
    expect((await call(emulator, "DELETE", "/extensions/same", { [byId]: "staging-id" })).status).toBe(204);
    expect(await names({ [byName]: "live-id" })).toEqual(["same"]);
  });

  test("X-Kernel-Project takes an id or a name in any case, even beyond ASCII; X-Kernel-Project-Id only an id", async () => {
    await stored(emulator, { name: "live", headers: { [byId]: "live-id" } });
    // A header carries bytes, so a client sends a name as UTF-8 bytes.
    for (const name of ["Größe & Live", "größe & live"]) {
      expect(await names({ [byName]: Buffer.from(name).toString("latin1") })).toEqual(["live"]);
    }
    expect(await names({ [byName]: "live-id" })).toEqual(["live"]);
    const unknown = { status: 404, code: "project_not_found" };
    expect(await refusal(await call(emulator, "GET", "/extensions", { [byId]: "staging" }))).toMatchObject(
      unknown,
    );
    expect(await refusal(await call(emulator, "GET", "/extensions", { [byName]: "stagin" }))).toMatchObject(
      unknown,
    );
  });

  test("a header that names the default project has the effect of no header", async () => {
    await stored(emulator, { name: "here" });
    expect(await names({ [byId]: emulator.defaultProject.id })).toEqual(["here"]);
    expect(await names({ [byName]: emulator.defaultProject.name })).toEqual(["here"]);
  });

  test("the two project headers may name one project, and get 400 for two projects or an empty value", async () => {
    expect(await names({ [byId]: "staging-id", [byName]: "staging" })).toEqual([]);
    const bad = { status: 400, code: "bad_request", inner: "invalid_input" };
    const ask = async (headers: Record<string, string>) =>
      refusal(await call(emulator, "GET", "/extensions", headers));
    expect(await ask({ [byId]: "staging-id", [byName]: "live-id" })).toMatchObject(bad);
    expect(await ask({ [byId]: "" })).toMatchObject(bad);
    expect(await ask({ [byId]: "staging-id", [byName]: "none" })).toMatchObject({
      code: "project_not_found",
    });
  });

  test("an archived project in a header is refused like an unknown project", async () => {
    emulator.archiveProject("staging-id");
    for (const headers of [{ [byId]: "staging-id" }, { [byName]: "staging" }, { [byId]: "none" }]) {
      expect(await refusal(await call(emulator, "GET", "/extensions", headers))).toMatchObject({
        status: 404,
        code: "project_not_found",
        inner: undefined,
      });
    }
  });

  test("a project's key works only in that project, with or without a header, and gets 403 elsewhere", async () => {
    const { key, projectId } = emulator.createApiKey({ projectId: "staging-id" });
    expect(projectId).toBe("staging-id");
    const authorization = `Bearer ${key}`;
    await stored(emulator, { name: "scoped", headers: { authorization } });
    expect(await names({ [byId]: "staging-id" })).toEqual(["scoped"]);
    expect(await names({ authorization, [byName]: "staging" })).toEqual(["scoped"]);
    const elsewhere = await call(emulator, "GET", "/extensions", { authorization, [byId]: "live-id" });
    expect(await refusal(elsewhere)).toMatchObject({ status: 403, code: "forbidden" });
    emulator.archiveProject("staging-id");
    const archived = await call(emulator, "GET", "/extensions", { authorization });
    expect(await refusal(archived)).toMatchObject({ status: 404, code: "project_not_found" });
  });
});
