import type { Call } from "../../call.js";
import type { Entries } from "../entries.js";
import { Run } from "../run.js";
import type { LiveObject, Named, OwnedObject } from "./declaration.js";
import { OwnedTexts } from "./texts.js";

/**
 * A kind of owned object in one run of the engine: how it is declared, what messages say of it, and
 * what the run knows. Everything that deals with such objects works with it.
 */
export class OwnedKind<In extends Named, St extends Named, Live extends LiveObject> {
  readonly resource: OwnedObject<In, St, Live>;
  readonly texts: OwnedTexts<In, St, Live>;
  readonly run = new Run();

  constructor(resource: OwnedObject<In, St, Live>) {
    this.resource = resource;
    this.texts = new OwnedTexts(resource);
  }

  /** The input that messages about an object's name are about. */
  get nameInput(): string {
    return this.resource.naturalName?.input ?? "name";
  }

  /** What the journal has of it, as the resource of a call sees that. Throws `ConfigError`. */
  entries(call: Call): Entries {
    return call.entries(this.resource.kind);
  }
}
