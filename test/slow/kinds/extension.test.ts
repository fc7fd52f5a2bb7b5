import { startEach } from "../../support/stacks/service.js";
import { Stack } from "../../support/stacks/stack.js";

describe("an extension of a program in JavaScript, with the real engine", () => {
  let stack: Stack;

  startEach(Stack.create, (started) => ({ stack } = started));

  test("a program looks up an extension by name and by id", async () => {
    const declare = (more = "") =>
      stack.write(
        "index.js",
        `const { Extension } = require("pulumi-browser-infra");
         new Extension("reader", { path: "./extension" });
         ${more}`,
      );
    declare();
    await stack.up();
    const { id, outputs } = stack.extension();
    declare(
      `exports.byName = Extension.get("by-name", "${outputs.name}").id;
       exports.found = Extension.get("found", "${id}").name;`,
    );
    await stack.up();
    expect(await stack.outputs()).toEqual({ byName: id, found: outputs.name });
  });
});
