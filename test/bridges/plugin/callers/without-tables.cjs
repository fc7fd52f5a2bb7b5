/** Plays a system without the connection tables of Linux, such as macOS. */
const { promises } = require("node:fs");
const fs = require("node:fs/promises");

const { readFile } = promises;
const replaced = (path, ...others) =>
  String(path).startsWith("/proc/")
    ? Promise.reject(Object.assign(new Error("no such file"), { code: "ENOENT" }))
    : readFile(path, ...others);
promises.readFile = replaced;
fs.readFile = replaced;
