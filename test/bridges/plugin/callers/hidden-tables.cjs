/**
 * Plays a system that shows less of the connections of Linux. HIDDEN_TABLES is `all` for a system
 * without tables, such as macOS, and `connections` for callers in another network namespace, whose
 * connections are not listed.
 */
const fs = require("node:fs/promises");

const { readFile } = fs;
const hidesAll = process.env.HIDDEN_TABLES === "all";

fs.readFile = async (path, ...others) => {
  const isTable = String(path).startsWith("/proc/net/tcp");
  if (isTable && hidesAll) {
    throw Object.assign(new Error("no such file"), { code: "ENOENT" });
  }
  const text = await readFile(path, ...others);
  const isListening = (row) => row.trim().split(/\s+/)[3] === "0A";
  return isTable ? text.split("\n").filter(isListening).join("\n") : text;
};
