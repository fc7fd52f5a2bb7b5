import { isAbsolute, relative } from "node:path";
import { extensionNameProblem } from "../client/names.js";
import { checkProjectId } from "../config.js";
import type { CheckFailure } from "./lifecycle.js";
import { type PropertyMap, type PropertyValue, unknownValue } from "./property-values.js";

/** An input as declared: undefined when not given, {@link unknownValue} when a preview does not know it yet. */
export type Declared<T> = T | typeof unknownValue | undefined;

/** The inputs of an Extension as its program gives them, validated. */
export interface ExtensionDeclaration {
  readonly path: Declared<string>;
  readonly name: Declared<string>;
  readonly projectId: Declared<string>;
  readonly exclude: Declared<readonly string[]>;
  /** Id or name of an extension to take over. */
  readonly adopt: Declared<string>;
}

/** Inputs a program may give. */
const declaredInputs = ["path", "name", "projectId", "exclude", "adopt"];

/** Inputs that `check` itself adds. A program never gives them; an import file does, and `ignoreChanges` puts old ones in. */
export const computedInputs = ["checksum", "sizeBytes", "fileCount", "manifest", "files", "createdAt"];

/** Validates what the program gave, property by property, so that every fault is shown at once. */
export function parseExtensionInputs(inputs: PropertyMap): {
  declaration: ExtensionDeclaration;
  failures: CheckFailure[];
} {
  const failures: CheckFailure[] = [];
  const fail = (property: string, reason: string) => {
    failures.push({ property, reason });
    return undefined;
  };

  for (const property of Object.keys(inputs)) {
    if (![...declaredInputs, ...computedInputs].includes(property)) {
      fail(property, `An Extension has no input "${property}". Its inputs are ${declaredInputs.join(", ")}.`);
    }
  }
  // Contents that are given as known, by an import file, need no folder.
  if (inputs.path === undefined && inputs.checksum === undefined) {
    fail("path", 'An Extension needs "path": the folder of the unpacked extension, or a ready .zip file.');
  }

  const declaration: ExtensionDeclaration = {
    path: text("path"),
    name: text("name"),
    projectId: text("projectId"),
    exclude: patterns(inputs.exclude),
    adopt: text("adopt"),
  };
  if (typeof declaration.name === "string") {
    const problem = extensionNameProblem(declaration.name);
    if (problem !== undefined) {
      fail("name", `The extension's "name" ${problem}.`);
    }
  }
  if (typeof declaration.projectId === "string") {
    try {
      checkProjectId(declaration.projectId);
    } catch (error) {
      fail("projectId", (error as Error).message);
    }
  }
  return {
    declaration: { ...declaration, path: portablePath(declaration.path) },
    failures,
  };

  function text(property: string): Declared<string> {
    const value = inputs[property];
    if (value === undefined || value === unknownValue) {
      return value;
    }
    if (typeof value !== "string" || value.trim() === "") {
      return fail(property, `"${property}" has to be a text that is not empty.`);
    }
    return value;
  }

  function patterns(value: PropertyValue | undefined): Declared<readonly string[]> {
    if (value === undefined || value === unknownValue) {
      return value;
    }
    if (!Array.isArray(value)) {
      return fail("exclude", '"exclude" has to be a list of glob patterns, for instance ["tests/**"].');
    }
    if (value.includes(unknownValue)) {
      return unknownValue;
    }
    if (!value.every((item) => typeof item === "string")) {
      return fail("exclude", 'Every pattern in "exclude" has to be a text.');
    }
    return value as readonly string[];
  }

  /** Relative to the program's folder, which is the working directory: two machines then agree on the state. */
  function portablePath(path: Declared<string>): Declared<string> {
    if (typeof path !== "string" || !isAbsolute(path)) {
      return path;
    }
    const fromProgram = relative(process.cwd(), path) || ".";
    if (isAbsolute(fromProgram)) {
      return fail(
        "path",
        'The folder is on another drive than the program. Move it, so that "path" can be given relative to the program.',
      );
    }
    return fromProgram.replaceAll("\\", "/");
  }
}
