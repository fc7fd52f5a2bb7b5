import { Properties, type PropertyMap, t, unknownValue } from "../../src/providers/properties.js";

const declared = new Properties({
  name: t.string,
  size: t.number,
  isNew: t.boolean,
  mode: t.oneOf({ restore: "Restores it.", keep: "Leaves it." }),
  patterns: t.listOf(t.string),
  digests: t.mapOf(t.string),
  creator: t.object({ id: t.string, name: t.string }),
  triggers: t.anything,
});

const complete: PropertyMap = {
  name: "reader",
  size: 3,
  isNew: false,
  mode: "keep",
  patterns: ["*.map"],
  digests: { "a.js": "1f" },
  creator: { id: "user_1" },
  triggers: [1, { two: null }],
};

describe("the declared properties of a resource", () => {
  test("declared properties are read from the state and written back unchanged", () => {
    expect(declared.read(complete)).toEqual(complete);
    expect(declared.write(declared.read(complete))).toEqual(complete);
  });

  test("missing, mistyped and undeclared properties of an older state are read as missing", () => {
    expect(declared.read({})).toEqual({});
    expect(
      declared.read({
        name: 1,
        size: "3",
        isNew: null,
        mode: "delete",
        patterns: ["a", 1],
        digests: ["1f"],
        creator: "user_1",
        extra: true,
      }),
    ).toEqual({});
    expect(declared.read({ creator: { id: 1, name: "Ada" } })).toEqual({ creator: { name: "Ada" } });
  });

  test("unknown properties of a preview stay unknown, and a value with an unknown part counts as unknown", () => {
    const news: PropertyMap = { ...complete, name: unknownValue, patterns: ["a", unknownValue] };
    expect(declared.readDeclared(news)).toMatchObject({ name: unknownValue, patterns: unknownValue });
    expect(declared.read(news)).not.toHaveProperty("name");
    expect(declared.read({ triggers: [unknownValue] })).toEqual({ triggers: [unknownValue] });
  });

  test("properties are written without undefined at any depth", () => {
    expect(declared.write({ name: undefined, creator: { id: "user_1", name: undefined } })).toEqual({
      creator: { id: "user_1" },
    });
  });

  test("declared properties give their types as a schema", () => {
    expect(
      Object.fromEntries(Object.entries(declared.types).map(([name, { schema }]) => [name, schema])),
    ).toEqual({
      name: { type: "string" },
      size: { type: "number" },
      isNew: { type: "boolean" },
      mode: { type: "string", enum: { restore: "Restores it.", keep: "Leaves it." } },
      patterns: { type: "array", items: { type: "string" } },
      digests: { type: "object", additionalProperties: { type: "string" } },
      creator: { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } },
      triggers: {},
    });
  });
});
