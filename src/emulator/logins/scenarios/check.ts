import type { z } from "zod";

/** The parts of a scenario that refer to one another, whatever the kind of step. */
interface Script {
  readonly start: string;
  readonly whenSignedIn?: string | undefined;
  readonly whenStored?: string | undefined;
  readonly steps: Readonly<Record<string, ScriptStep>>;
}

interface ScriptStep {
  readonly step: string;
  readonly next?: string | undefined;
  readonly onTimeout?: string | undefined;
  readonly fields?: readonly { readonly id: string; readonly ref?: string | undefined }[] | undefined;
  readonly choices?:
    | readonly {
        readonly id: string;
        readonly type: string;
        readonly provider?: string | undefined;
        readonly mfaType?: string | undefined;
      }[]
    | undefined;
  readonly answers?:
    | readonly {
        readonly fields?: Readonly<Record<string, string>> | undefined;
        readonly choice?: string | undefined;
        readonly next: string;
      }[]
    | undefined;
}

/** Finds missing steps, fields and choices, duplicate names, and steps nobody could answer. */
export function checkScenario(
  { start, whenSignedIn, whenStored, steps }: Script,
  context: z.RefinementCtx,
): void {
  const refuse = (path: readonly (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path: [...path], message });
  const checkTarget = (path: readonly (string | number)[], target: string | undefined) => {
    if (target !== undefined && !Object.hasOwn(steps, target)) {
      refuse(path, "must be the name of a step");
    }
  };
  checkTarget(["start"], start);
  checkTarget(["whenSignedIn"], whenSignedIn);
  checkTarget(["whenStored"], whenStored);
  for (const [stepName, step] of Object.entries(steps)) {
    const place = ["steps", stepName];
    checkTarget([...place, "next"], step.next);
    checkTarget([...place, "onTimeout"], step.onTimeout);
    const { fields = [], choices = [], answers = [] } = step;
    if (step.step === "AWAITING_INPUT" && fields.length + choices.length === 0) {
      refuse(place, "must have fields or choices, because it waits for input");
    }
    const ids = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);
    const names = fields.map(({ id, ref = id }) => ref);
    checkDuplicates(ids(fields), (index) => refuse([...place, "fields", index, "id"], "is a duplicate"));
    checkDuplicates(names, (index) => refuse([...place, "fields", index, "ref"], "is a duplicate"));
    checkDuplicates(ids(choices), (index) => refuse([...place, "choices", index, "id"], "is a duplicate"));
    for (const [index, { type, provider, mfaType }] of choices.entries()) {
      if (type === "sso_provider" && provider === undefined) {
        refuse([...place, "choices", index], "must have a provider, because its type is sso_provider");
      }
      if (type === "mfa_method" && mfaType === undefined) {
        refuse([...place, "choices", index], "must have an mfaType, because its type is mfa_method");
      }
    }
    for (const [index, answer] of answers.entries()) {
      const at = [...place, "answers", index];
      checkTarget([...at, "next"], answer.next);
      for (const id of Object.keys(answer.fields ?? {})) {
        if (!fields.some((field) => field.id === id)) {
          refuse([...at, "fields", id], "must be a field of the step");
        }
      }
      if (answer.choice !== undefined && !choices.some(({ id }) => id === answer.choice)) {
        refuse([...at, "choice"], "must be a choice of the step");
      }
    }
  }
}

function checkDuplicates(names: readonly string[], refuse: (index: number) => void): void {
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) {
      refuse(index);
    }
  }
}
