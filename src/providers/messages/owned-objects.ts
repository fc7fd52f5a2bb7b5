import { ConflictError, LookupError } from "../../errors.js";
import { quote } from "../../text/escape.js";
import { capitalized, listed, plural } from "../../text/words.js";
import type { AnyObject, LiveObject, Subject } from "../core/owned/declaration.js";
import { type PropertyMap, unknownValue } from "../properties.js";
import { importCommands } from "./import-commands.js";

/** Object in the service that belongs to no resource of this state, named in a warning. */
export interface Unmanaged extends Subject {
  readonly projectId?: string | undefined;
}

/** Resource that cannot get a name, because an existing object, the holder, has the name already. */
interface Claimant {
  readonly urn: string | undefined;
  readonly projectId: string | undefined;
  /** URN of the holder's resource, if in the same program; otherwise undefined. */
  readonly otherUrn: string | undefined;
  /** Whether the resource that needs the name has an object to rename or replace. False: a new resource. */
  readonly hasObject: boolean;
  /** Whether the holder has the resource's automatic name, but other inputs that no update can change. */
  readonly isOwnName: boolean;
  /** Doubts that the holder is the result of the resource's interrupted creation. Empty without a creation. */
  readonly doubts: readonly string[];
  /** Names of inputs that differ from the holder's settings; undefined: not compared. */
  readonly differing: readonly string[] | undefined;
}

/** Maximum number of undeclared settings in a message. */
const settingsMax = 20;

/** Messages, warnings and errors about the objects of a kind, such as browser pools. */
export class OwnedTexts {
  readonly #kind: AnyObject;

  constructor(kind: AnyObject) {
    this.#kind = kind;
  }

  /** Last word of the kind's noun: `pool` for `browser pool`. */
  get shortNoun(): string {
    return this.#kind.noun.split(" ").at(-1) ?? "";
  }

  /** Object in a sentence: `project "web" (proj_1)`, or `project proj_1` without a known name. */
  object({ id, name }: Subject): string {
    const { noun } = this.#kind;
    return name == null ? `${noun} ${id}` : `${noun} ${quote(name)} (${id})`;
  }

  /** Object at the beginning of a sentence: `Project "web" (proj_1)`. See {@link object}. */
  subject(subject: Subject): string {
    return capitalized(this.object(subject));
  }

  /** Failure of a check: the resource `urn` of the same program already claims the name. */
  rival(name: string, urn: string): string {
    const { noun, isInProject = false, issued, naturalName } = this.#kind;
    if (naturalName !== undefined) {
      return `Two ${noun}s of this program are ${quote(name)}; the other one is ${urn}. A project can have only one. Remove one of them.`;
    }
    const why =
      issued !== undefined
        ? `After a lost response, it would be unclear which ${noun} belongs to which.`
        : `Names are unique in ${isInProject ? "a project" : "the organization"}, and case does not count.`;
    return `Two ${plural(noun)} of this program have the name "${name}"; the other one is ${urn}. ${why} Give one of them another "name", or leave it out.`;
  }

  /** Error `name_taken`: `holder` has the name that `claimant` needs. Lists remedies, such as an import. */
  nameTakenError(name: string, holder: LiveObject, claimant: Claimant): ConflictError {
    const { noun, naturalName, createsFirst } = this.#kind;
    const similar =
      holder.name === name
        ? ""
        : `, whose name is ${quote(holder.name ?? "")}: case and accents do not count for the service`;
    const taken =
      createsFirst === true
        ? `The ${this.object(holder)} already exists, and may be the result of an interrupted request.`
        : naturalName !== undefined
          ? `The ${this.object(holder)} already exists, and a project can have only one.`
          : `The name ${quote(name)} is taken by ${noun} ${holder.id}${similar}.`;
    const archived =
      this.#kind.isArchived?.(holder) === true
        ? ` It is archived, and an archived ${noun} keeps its name.`
        : "";
    const nothing =
      claimant.doubts.length > 0
        ? ""
        : ` Nothing was created${naturalName === undefined ? " or renamed" : ""}.`;
    return new ConflictError(
      "name_taken",
      `${taken}${archived}${this.#knownText(holder, claimant)} ${this.#remedies(holder, claimant)}${nothing}`,
    );
  }

  /** Facts about the holder of a name: when and by whom it was created, and whether its settings are as declared. */
  #knownText(holder: LiveObject, { differing, otherUrn, doubts }: Claimant): string {
    if (differing === undefined || otherUrn !== undefined) {
      return "";
    }
    const created = createdText(holder);
    const settings =
      differing.length === 0
        ? "Every declared setting that the service shows is the same."
        : `Different from the declaration: ${listed(differing)}.`;
    const interrupted =
      doubts.length === 0
        ? ""
        : ` Nothing proves that an interrupted creation of this resource made the ${this.shortNoun}: ${doubts.join("; ")}.`;
    return `${created === "" ? "" : ` It was ${created}.`} ${settings}${interrupted}`;
  }

  /** Message before a replacement: undeclared settings of the old object, with all known values but secrets. */
  undeclared(settings: PropertyMap): string {
    const { state } = this.#kind;
    const values = Object.entries(settings).map(([name, value]) =>
      state.types[name]?.isSecret || value === unknownValue ? name : `${name} = ${JSON.stringify(value)}`,
    );
    const what = `undeclared settings of the old ${this.shortNoun}`;
    return `The replacement loses these ${what}: ${listed(values, settingsMax)}. Declare the settings that are needed.`;
  }

  /** Warning: an object has the name of an interrupted creation, but is not proved to be the result. */
  doubtful(live: Unmanaged, doubts: readonly string[]): string {
    return (
      `${this.subject(live)} has the name of an interrupted creation of this resource, but nothing proves that the creation made the ${this.shortNoun}: ${doubts.join("; ")}. ` +
      `The ${this.shortNoun} was left alone. If nothing needs the ${this.shortNoun}, ${this.#howToDelete([live])}`
    );
  }

  /** Message: a create continues with the object that a request without a response had made. */
  finished(live: LiveObject): string {
    const evidence =
      this.#kind.identity !== undefined
        ? "name and contents are as sent"
        : live.createdAt === undefined
          ? "every setting that the service shows is as sent, and nothing shows an earlier use"
          : "every setting that the service shows is as sent, and the service created it while the request was in progress";
    return `${this.subject(live)} is the result of the interrupted creation of this resource: ${evidence}. Finishing the ${this.shortNoun}.`;
  }

  /** Advice for a protected resource whose creation has no response: Pulumi refuses the replacement. */
  unprotectAdvice(urn = "<urn>"): string {
    return `With the option "protect", first run "pulumi state unprotect '${urn}'".`;
  }

  /** Message of a `diff`: the create of this run settles a creation without a response. */
  unsettled(name = "", urn: string | undefined): string {
    return `The creation of ${this.#kind.noun} ${quote(name)} was interrupted; "pulumi up" settles it by a replacement. ${this.unprotectAdvice(urn)}`;
  }

  /** Warning of objects that a request without a response may have made, without proof. */
  indistinct(lives: readonly Unmanaged[]): string {
    const { noun } = this.#kind;
    return (
      `The response to a request for ${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun} was lost, and nothing proves which ${noun} the request made. Nothing was deleted. ` +
      `Possible: ${lives.map((live) => this.#detailed(live)).join(", ")}. If nothing needs ${lives.length === 1 ? "it" : "them"}, ${this.#howToDelete(lives)}`
    );
  }

  #remedies(holder: LiveObject, { urn = "", projectId, otherUrn, hasObject, isOwnName }: Claimant): string {
    const { naturalName, adoptAdvice, deleteCommand, isInProject = false } = this.#kind;
    const withName = (text: string) => (naturalName === undefined ? text : "");
    const inTwo =
      "use two deployments: in the first, give that resource an unused name; in the second, give this one its name";
    if (otherUrn !== undefined) {
      return `The ${this.shortNoun} belongs to another resource of this program, ${otherUrn}.${withName(` To move the name, ${inTwo}.`)}`;
    }
    const remove = `If an earlier deployment of this resource has left it, ${this.#howToDelete([{ ...holder, projectId }])}`;
    if (isOwnName) {
      return `It has the automatic name of this resource, but cannot become what the program declares. ${remove}`;
    }
    if (hasObject) {
      return `${withName(`Choose another "name". If another resource of this program has that name, ${inTwo}. `)}${remove}`;
    }
    const { id } = holder;
    const [, group = ""] = deleteCommand.split(" ");
    const canAdopt = this.#kind.state.types.adopt !== undefined;
    const orAdopt = canAdopt
      ? ` Or add adopt: "${id}" to this resource, unless another stack manages the ${this.shortNoun}: a deployment then changes it to what is declared.`
      : "";
    const imports = importCommands({ urn, group, id, projectId: isInProject ? projectId : undefined });
    return (
      `${adoptAdvice?.(id) ?? `To manage that ${this.shortNoun} here, import it by its id, ${id}: "${imports.join('" and then "')}".${orAdopt}`} ` +
      `If nothing needs the ${this.shortNoun}, ${this.#howToDelete([{ ...holder, projectId }])} ` +
      `If only the resource's logical name has changed, give it an alias instead.${withName(' Otherwise choose another "name", or leave "name" out to get a unique one.')}`
    );
  }

  /** Error of a create or update: the object does not exist any more. Advises `pulumi up --refresh`. */
  goneError(id: string): LookupError {
    const { goneCode, notFoundCode } = this.#kind;
    return new LookupError(
      goneCode ?? notFoundCode,
      `${this.subject({ id })} is gone: an interrupted deployment or another program deleted it. ` +
        'Run "pulumi up --refresh" to create it again.',
    );
  }

  /** Warning: a create reuses an existing object, because of the automatic name of the resource. */
  reused(live: LiveObject, phase: "preview" | "update"): string {
    const isPreview = phase === "preview";
    const how = isPreview
      ? "The deployment reuses it, unless a forced replacement deletes it first"
      : "Reusing it, changed to what is declared";
    const remedy = isPreview
      ? 'give this one a "name" before you deploy'
      : 'remove this resource from the state with "pulumi state delete", and then give it a "name"';
    return (
      `${this.subject(live)} already exists, and has the automatic name of this resource. ${how}. ` +
      "It is this resource's own if an earlier deployment was interrupted, if the state was lost, if an earlier deployment kept it, or if the resource is replaced by force. " +
      `But a stack with the same name in another backend makes the same name. If it manages the ${this.shortNoun}, ${remedy}. ` +
      `Otherwise the two stacks overwrite each other's ${this.shortNoun}, and destroying one removes it for both.`
    );
  }

  /** Warning of a refresh: the object in the state does not exist in the service any more. */
  goneFromState(id: string): string {
    return `${this.subject({ id })} is gone: the service does not have it any more. The next "pulumi up" creates it again; this one, if it refreshes.`;
  }

  /** Message: what a new resource adopts, and the names of inputs that the adoption changes. */
  adopts(live: LiveObject, differing: readonly string[]): string {
    const changed = differing.length === 0 ? "unchanged" : `and changes ${listed(differing)}`;
    return `Adopts ${this.object(live)} ${changed}. From then on, the ${this.shortNoun} belongs to this resource, which deletes it when destroyed.`;
  }

  nothingToAdopt(adopt: string, projectId: string | undefined): LookupError {
    const where = projectId === undefined ? "" : ` in project ${projectId}`;
    return new LookupError(
      this.#kind.notFoundCode,
      `There is no ${this.#kind.noun} ${quote(adopt)} to adopt${where}. Check the id or the name. To create the ${this.shortNoun} instead, remove "adopt".`,
    );
  }

  /** Error: an object cannot be adopted, because of its resource `otherUrn`, or of the differing inputs. */
  adoptionRefused(
    live: LiveObject,
    otherUrn: string | undefined,
    differing: readonly string[],
  ): ConflictError {
    const why =
      otherUrn === undefined
        ? `no change leads to what is declared. Different: ${listed(differing)}. Declare the present values, or remove "adopt" to create another ${this.shortNoun}.`
        : `it already belongs to another resource of this program, ${otherUrn}. Remove one of the two resources.`;
    return new ConflictError("adoption_refused", `${this.subject(live)} cannot be adopted: ${why}`);
  }

  notFoundError(id: string, projectId: string | undefined): LookupError {
    const where = projectId === undefined ? "" : ` in project ${projectId}`;
    return new LookupError(
      this.#kind.notFoundCode,
      `There is no ${this.#kind.noun} "${id}"${where}. Check its id, and that this API key has access to it.`,
    );
  }

  /** End of a sentence about a lost response: `, and with it the key's secret`. Empty if no value is lost. */
  get lostValueClause(): string {
    const { shown } = this.#kind.issued ?? {};
    return shown === undefined ? "" : `, and with it the ${this.shortNoun}'s ${shown}`;
  }

  /** Message: an object that a request without a response had made was found and deleted. */
  undone(live: LiveObject): string {
    return `Deleted ${this.object(live)}: a request of this resource had created it, but the response was lost${this.lostValueClause}.`;
  }

  /** Warning of objects not handled in this run, with the name, or a one-time name, of a new object. */
  namesakes(lives: readonly Unmanaged[]): string {
    const [has, it] = lives.length === 1 ? ["has", "it"] : ["have", "them"];
    return (
      `${this.#listed(lives)} found, and ${has} the same name, or a one-time name made from that name. No resource handled so far in this deployment manages ${it}. An interrupted deployment of this resource may have left ${it}, or another stack or user may need ${it}. ` +
      `A new ${this.shortNoun} is created. Unless this deployment replaces or deletes ${it}, ${this.#howToDelete(lives)}`
    );
  }

  /** Warning of orphans: objects of earlier requests without a resource. Lists commands for a deletion. */
  unmanaged(lives: readonly Unmanaged[]): string {
    return `${this.#listed(lives)} left by earlier requests, and nothing manages ${lives.length === 1 ? "it" : "them"} any more: ${this.#howToDelete(lives)}`;
  }

  #listed(lives: readonly Unmanaged[]): string {
    const [first, ...others] = lives;
    const all =
      first === undefined
        ? []
        : [capitalized(this.#detailed(first)), ...others.map((live) => this.#detailed(live))];
    return `${all.join(", ")} ${lives.length === 1 ? "was" : "were"}`;
  }

  /** Object with the time and author of its creation, if known: `API key "ci" (key_1, created at …)`. */
  #detailed(live: Unmanaged): string {
    const created = createdText(live);
    return created === "" ? this.object(live) : this.object({ ...live, id: `${live.id}, ${created}` });
  }

  #howToDelete(lives: readonly Unmanaged[]): string {
    const commands = lives.map(
      ({ id, projectId }) => `"${this.#kind.deleteCommand} ${id}${this.#projectOption(projectId)}"`,
    );
    return `check that ${lives.length === 1 ? "it is" : "they are"} not in use, and delete ${lives.length === 1 ? "it" : "them"} with ${commands.join(", ")}.`;
  }

  #projectOption(projectId: string | undefined): string {
    return this.#kind.isInProject === true && projectId !== undefined ? ` --project ${projectId}` : "";
  }
}

/** Time and author of a creation: `created at <time> by "<e-mail>"`. Empty without a time. */
function createdText({ createdAt, createdBy }: Subject): string {
  const by = createdBy == null ? "" : ` by ${quote(createdBy.email)}`;
  return createdAt == null ? "" : `created at ${createdAt}${by}`;
}
