import { json } from "../fault-server.js";
import { closeBenches, startBench } from "../test-client.js";

afterEach(closeBenches);

const wire = {
  authentication: { method: "api_key", source: "api_key", credential_id: "key_1" },
  authorization: { credential_scope: { project_id: null }, effective_scope: { project_id: "prj_1" } },
  organization: { id: "org_1" },
  principal: { id: "key_1", type: "api_key" },
};

describe("auth context", () => {
  test("authContext returns the key's owner and scope in our own names, for the client's project", async () => {
    const { client, server } = await startBench([json(200, wire)], { projectId: "prj_1" });
    expect(await client.authContext()).toEqual({
      method: "api_key",
      source: "api_key",
      credentialId: "key_1",
      credentialProjectId: null,
      effectiveProjectId: "prj_1",
      organizationId: "org_1",
      principal: { id: "key_1", type: "api_key" },
    });
    expect(server.requests[0]).toMatchObject({
      method: "GET",
      target: "/auth/context",
      headers: { "x-kernel-project-id": "prj_1" },
    });
  });

  test("absent optional members of the auth context read as null", async () => {
    const { client } = await startBench([
      json(200, {
        ...wire,
        authentication: { method: "jwt", source: "oauth" },
        authorization: { credential_scope: {}, effective_scope: {} },
      }),
    ]);
    expect(await client.authContext()).toMatchObject({
      credentialId: null,
      credentialProjectId: null,
      effectiveProjectId: null,
    });
  });
});
