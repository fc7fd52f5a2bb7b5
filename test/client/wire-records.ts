/** A project as the service sends it. */
export const wireProject = {
  id: "ckp0000000000000000000ab",
  name: "staging",
  status: "active",
  created_at: "2026-05-01T08:00:00Z",
  updated_at: "2026-06-01T08:00:00.123Z",
};

/** An API key as the service sends it. */
export const wireApiKey = {
  id: "ckk0000000000000000000cd",
  name: "ci",
  created_at: "2026-05-01T08:00:00Z",
  created_by: { id: "usr_1", email: "ana@example.com", name: "Ana" },
  expires_at: "2027-05-01T08:00:00Z",
  deleted_at: null,
  project_id: wireProject.id,
  project_name: wireProject.name,
  masked_key: "sk_1234...abcd",
};

/** 255 code points outside the basic plane: 510 UTF-16 units, 1020 UTF-8 bytes. */
export const astralName = "😀".repeat(255);

/** Names that a careless comparison, a trim or an unencoded query would change. */
export const delicateNames: readonly string[] = [
  astralName,
  " leading and trailing ",
  "caf\u00e9",
  "cafe\u0301",
  "Staging",
  "ckp0000000000000000000ab",
  "a/b",
  "100%",
  "%2F",
  "a&b=c#d?e+f",
  "__proto__",
  '"quoted\\',
];
