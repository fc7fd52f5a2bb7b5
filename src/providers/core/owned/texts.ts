import { ConflictError, LookupError } from "../../../errors.js";
import { quote } from "../../../text/escape.js";
import { capitalized, listed, plural } from "../../../text/words.js";
import type { LiveObject, Named, OwnedObject } from "./declaration.js";

/**
 * The command that repairs what a refresh has found, quoted for a message. A plain `pulumi up`
 * compares the program with the state, and a preview, which the drift check is, stores nothing.
 */
export const repairCommand = '"pulumi up --refresh"';

type Subject = { readonly id: string; readonly name?: string | null };

/** An object that nothing may manage. The project is that for which it was created. */
export interface Unmanaged extends Subject {
  readonly projectId?: string | undefined;
}

/** The messages about one kind of owned object. */
export class OwnedTexts<In extends Named, St extends Named, Live extends LiveObject> {
  readonly #kind: OwnedObject<In, St, Live>;

  constructor(kind: OwnedObject<In, St, Live>) {
    this.#kind = kind;
  }

  /** Of a name that two resources of a program have. */
  rival(name: string, urn: string): string {
    const { noun, isInProject = false, issued, naturalName } = this.#kind;
    if (naturalName !== undefined) {
      return `Two ${noun}s of this program are ${quote(name)}; the other one is ${urn}. A project can have only one. Remove one of them.`;
    }
    const why =
      issued !== undefined
        ? `After a lost answer, it would be unclear which ${noun} belongs to which.`
        : `Names are unique in ${isInProject ? "a project" : "the organization"}, and case does not count.`;
    return `Two ${plural(noun)} of this program have the name "${name}"; the other one is ${urn}. ${why} Give one of them another "name", or leave it out.`;
  }

  /** `pool`, of a browser pool. */
  get short(): string {
    return this.#kind.noun.split(" ").at(-1) ?? "";
  }

  /** `project "web" (proj_1)`, or `project proj_1`. */
  object({ id, name }: Subject): string {
    const { noun } = this.#kind;
    return name == null ? `${noun} ${id}` : `${noun} ${quote(name)} (${id})`;
  }

  /** The same at the beginning of a sentence. */
  subject(subject: Subject): string {
    return capitalized(this.object(subject));
  }

  /** Of an object that has another name than in the state. */
  renamed(id: string, from = "", to = ""): string {
    return `${this.subject({ id })} was renamed outside of this program: from ${quote(from)} to ${quote(to)}.`;
  }

  /** Of an object in which these differ from the state. */
  changed(id: string, names: readonly string[]): string {
    return `${this.subject({ id })} was changed outside of this program: its ${listed(names)}.`;
  }

  /**
   * `otherUrn`: the resource of the same program that has the object. `isRenamed`: who wants the
   * name has an object of its own.
   */
  nameTaken(
    name: string,
    holder: Live,
    { otherUrn, isRenamed }: { readonly otherUrn: string | undefined; readonly isRenamed: boolean },
  ): ConflictError {
    const { noun } = this.#kind;
    const who =
      holder.name === name
        ? `${noun} ${holder.id}`
        : `${noun} ${holder.id}, whose name is ${quote(holder.name ?? "")}: case and accents do not count for the service`;
    const dormant =
      this.#kind.isDormant?.(holder) === true
        ? ` It is archived, and an archived ${noun} keeps its name.`
        : "";
    const inTwo =
      "use two deployments: in the first, give that resource an unused name; in the second, give this one its name";
    const advice =
      otherUrn !== undefined
        ? `It is that of another resource of this program, ${otherUrn}. To move the name, ${inTwo}.`
        : isRenamed
          ? `Choose another "name". If another resource of this program has this one, ${inTwo}.`
          : `${this.#kind.adoptAdvice?.(holder.id) ?? `To manage that ${this.short} here, import it by its id, ${holder.id}.`} ` +
            "If only the resource's logical name has changed, give it an alias instead. " +
            'Otherwise choose another "name", or leave "name" out to get a unique one.';
    if (this.#kind.naturalName !== undefined) {
      const remedy =
        otherUrn !== undefined
          ? `It is that of another resource of this program, ${otherUrn}.`
          : `To manage that ${this.short} here, import it by its id. If only the resource's logical name has changed, give it an alias instead.`;
      return new ConflictError(
        "name_taken",
        `The ${this.object(holder)} already exists, and a project can have only one. ${remedy} Nothing was created.`,
      );
    }
    return new ConflictError(
      "name_taken",
      `The name ${quote(name)} is taken by ${who}.${dormant} ${advice} Nothing was created or renamed.`,
    );
  }

  /** Of an object that a change or an archiving needs. */
  gone(id: string): LookupError {
    const { goneCode, notFoundCode } = this.#kind;
    return new LookupError(
      goneCode ?? notFoundCode,
      `${this.subject({ id })} is gone: an interrupted deployment or another program deleted it. ` +
        `Run ${repairCommand} to create it again.`,
    );
  }

  /**
   * Of an object that has the automatic name of a resource, although no note says that the resource
   * created it. Once a resource has reused it, another name would rename it, for both stacks.
   */
  unnoted(live: Live, phase: "preview" | "update"): string {
    const [reuse, remedy] =
      phase === "preview"
        ? [
            "The deployment reuses it, unless a forced replacement deletes it first.",
            'give this one a "name" before you deploy',
          ]
        : [
            "Reusing it.",
            'remove this resource from the state with "pulumi state delete", and then give it a "name"',
          ];
    return (
      `${this.subject(live)} already exists, and no note says that this resource created it. ${reuse} ` +
      "It is this resource's own if the state was lost, if an earlier deployment kept it, or if the resource is replaced by force. " +
      `But a stack with the same name in another backend makes the same name. If it manages the ${this.short}, ${remedy}. ` +
      `Otherwise the two stacks overwrite each other's ${this.short}, and destroying one removes it for both.`
    );
  }

  /** Of an object whose name is needed for one with other contents. */
  inTheWay(subject: Subject): string {
    return `Replacing the ${this.object(subject)}: an earlier deployment of this resource created it with other contents.`;
  }

  /** `path`: where what an object held is saved. */
  stillSaved(subject: Subject, path: string): string {
    return (
      `${this.subject(subject)} was deleted for a replacement that was interrupted, and this deployment does not declare its resource. ` +
      `What it held is saved in "${path}". Delete that file when you no longer need it.`
    );
  }

  /** Of an object that a deployment without an answer may have deleted. */
  mayBeGone(subject: Subject): string {
    return `An interrupted deployment may have deleted ${this.object(subject)}. Replacing it to make sure it exists.`;
  }

  /** What a refresh says of it. */
  goneFromState(id: string): string {
    return `${this.subject({ id })} is gone: the service does not have it any more. ${repairCommand} creates it again.`;
  }

  notFound(id: string, projectId: string | undefined): LookupError {
    const where = projectId === undefined ? "" : ` in project ${projectId}`;
    return new LookupError(
      this.#kind.notFoundCode,
      `There is no ${this.#kind.noun} "${id}"${where}. Check its id, and that this API key has access to it.`,
    );
  }

  /** What a lost answer takes along, as the end of a clause. Empty where it is nothing. */
  get withIt(): string {
    const { shown } = this.#kind.issued ?? {};
    return shown === undefined ? "" : `, and with it the ${this.short}'s ${shown}`;
  }

  /** What an interrupted deployment created, and is deleted now. */
  undone(live: Live): string {
    const { issued } = this.#kind;
    return issued === undefined
      ? `Deleted the ${this.object(live)}: an interrupted deployment had created it, but the program no longer declares it.`
      : `Deleted ${this.object(live)}: an earlier request of this resource had created it, but its answer was lost${this.withIt}.`;
  }

  /** What has the automatic name of a resource that is created, although it has no entry. */
  unnotedIssue(lives: readonly Unmanaged[]): string {
    const isOne = lives.length === 1;
    return (
      `${this.#listed(lives)} not created by anything that this deployment knows of, and may be left by an interrupted deployment of this resource, or belong to a stack with the same name in another backend. ` +
      `Another ${this.short} is created. Unless this deployment replaces ${isOne ? "it" : "them"}, ${this.#howToDelete(lives)}`
    );
  }

  /** A lost rotation, when several keys may be what it made. */
  indistinguishable(rotatedId: string, candidates: readonly Live[]): string {
    const { noun } = this.#kind;
    const name = quote(candidates[0]?.name ?? "");
    const commands = candidates.map(({ id }) => `"${this.#kind.deleteCommand} ${id}"`).join(" or ");
    return (
      `The answer to a rotation of ${noun} ${rotatedId} was lost, and a ${this.short} that it made cannot be distinguished from others with the name ${name}, so it was not deleted. ` +
      `Check which one is not in use, and delete that one: ${commands}.`
    );
  }

  /** What earlier deployments that completed created, and this one has not met. */
  unclaimed(lives: readonly Unmanaged[]): string {
    const these = lives.length === 1 ? "it" : "them";
    return (
      `${this.#listed(lives)} created by an earlier deployment of this stack, and this one does not declare ${these}. ` +
      `If ${lives.length === 1 ? "its resource is" : "their resources are"} in the state, as with "--target" or after an error, nothing is wrong. ` +
      `Otherwise nothing manages ${these}: ${this.#howToDelete(lives)}`
    );
  }

  /** What earlier deployments left of a resource that has another object by now, or none. */
  unmanaged(lives: readonly Unmanaged[], how: "created" | "rotated"): string {
    const by =
      how === "created" ? "created by an earlier deployment of this resource" : "left by earlier rotations";
    return `${this.#listed(lives)} ${by}, and nothing manages ${lives.length === 1 ? "it" : "them"} any more: ${this.#howToDelete(lives)}`;
  }

  #listed(lives: readonly Unmanaged[]): string {
    const [first, ...others] = lives;
    const all = first === undefined ? [] : [this.subject(first), ...others.map((live) => this.object(live))];
    return `${all.join(", ")} ${lives.length === 1 ? "was" : "were"}`;
  }

  #howToDelete(lives: readonly Unmanaged[]): string {
    const { deleteCommand, isInProject = false } = this.#kind;
    const commands = lives.map(
      ({ id, projectId }) =>
        `"${deleteCommand} ${id}${isInProject && projectId !== undefined ? ` --project ${projectId}` : ""}"`,
    );
    return `check that ${lives.length === 1 ? "it is" : "they are"} not in use, and delete ${lives.length === 1 ? "it" : "them"} with ${commands.join(", ")}.`;
  }
}
