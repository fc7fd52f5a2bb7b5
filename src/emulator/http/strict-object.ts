/** Says what is wrong with an object that may have no members but the known ones. */
export const notTheObject = {
  error: (issue: { readonly code: string; readonly keys?: readonly string[] }) =>
    issue.code === "unrecognized_keys"
      ? `has an unknown member ${issue.keys?.map((key) => JSON.stringify(key)).join(", ")}`
      : "must be an object",
};
