/** Corrections of what the generators of programs do not know about our SDKs. */

/**
 * Part of schema.json.
 *
 * @typedef {object} Schema
 * @property {{ java: { basePackage: string } }} language
 * @property {Record<string, { enum?: { value: string }[] }>} types
 * @property {Record<string, { inputProperties: Record<string, Property> }>} resources
 * @property {Record<string, { inputs: { properties: Record<string, Property> } }>} functions
 *
 * @typedef {{ $ref?: string, type?: string }} Property
 */

/**
 * A program in TypeScript with strings in place of enumerations: our package has unions of strings.
 *
 * @param {string} program
 * @param {Schema} schema
 */
export function correctedTypescript(program, { types }) {
  return program.replace(/browser_infra\.(\w+)\.([A-Z]\w*)/g, (_all, type, member) => {
    const values = types[`browser-infra:index:${type}`]?.enum?.map(({ value }) => value) ?? [];
    return JSON.stringify(
      values.find((value) => value.replace(/\W/g, "").toLowerCase() === member.toLowerCase()),
    );
  });
}

/**
 * A program in Go that compiles. In our SDK, the arguments of `LookupProject` are
 * `LookupProjectArgs`. The generator exports the plain results of functions as if they were
 * outputs.
 *
 * @param {string} program
 */
export function correctedGo(program) {
  const [, result] = /(\w+), err := browserinfra\.(?:Lookup|Get)/.exec(program) ?? [];
  return program
    .replace(/(Lookup(\w+)\(ctx, &browserinfra\.)Get\2Args/g, "$1Lookup$2Args")
    .replace(/(ctx\.Export\("\w+", )((\w+)\.[\w.[\]]+)\)/g, (all, start, output, variable) =>
      variable === result ? `${start}pulumi.Any(${output}))` : all,
    );
}

/**
 * A program in Java that compiles. The generator uses the declared base package for resources
 * alone, passes strings for enumerations and an output for a list of outputs, and reads the outputs
 * of a function as if they were no outputs.
 *
 * @param {string} program
 * @param {Schema} schema
 */
export function correctedJava(program, { language, types, resources, functions }) {
  const ownPackage = `${language.java.basePackage}.browserinfra`;
  /** @type {Set<string>} */
  const imports = new Set();
  const text = program
    .replaceAll("com.pulumi.browserinfra", ownPackage)
    .replace(/(\w+)Args\.builder\(\)[\s\S]*?\.build\(\)/g, (builder, owner) => {
      const inputs =
        resources[`browser-infra:index:${owner}`]?.inputProperties ??
        functions[`browser-infra:index:${owner.replace(/^Get/, "get")}`]?.inputs.properties;
      return builder
        .replace(/\.(\w+)\("(\w)(\w*)"\)/g, (call, name, initial, rest) => {
          const token = inputs?.[name]?.$ref?.replace("#/types/", "") ?? "";
          if (types[token]?.enum === undefined) {
            return call;
          }
          const type = token.replace("browser-infra:index:", "");
          imports.add(`import ${ownPackage}.enums.${type};\n`);
          return `.${name}(${type}.${initial.toUpperCase()}${rest})`;
        })
        .replace(/\.(\w+)\((\w+\.id\(\))\)/g, (call, name, output) =>
          inputs?.[name]?.type === "array" ? `.${name}(${output}.applyValue(List::of))` : call,
        );
    });
  const [, result] = /final var (\w+) = BrowserinfraFunctions\./.exec(text) ?? [];
  return text
    .replace("import java.util.List;\n", (first) => `${[...imports].join("")}${first}`)
    .replace(/, (\w+)\.([\w.()[\]]+)\);/g, (all, variable, output) =>
      variable === result
        ? `, ${variable}.applyValue(found -> found.${output.replace(/\[(\d+)\]/g, ".get($1)")}));`
        : all,
    );
}
