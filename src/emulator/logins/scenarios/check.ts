import type { z } from "zod";

/** Members of a scenario that refer to steps, fields and choices, for every kind of step. */
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
  readonly fields?: readonly FormInput[] | undefined;
  readonly choices?: readonly FormInput[] | undefined;
  readonly answers?: readonly ScriptAnswer[] | undefined;
}

/** Field or choice. */
interface FormInput {
  readonly id: string;
  readonly type: string;
  readonly provider?: string | undefined;
  readonly mfaType?: string | undefined;
}

interface ScriptAnswer {
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly choice?: string | undefined;
  readonly next: string;
}

/** Finds missing steps, fields and choices, duplicate names, and steps that cannot be answered. */
export function checkScenario({ steps, ...scenario }: Script, context: z.RefinementCtx): void {
  const refuse = (path: readonly (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path: [...path], message });
  const checkTarget = (path: readonly (string | number)[], target: string | undefined) => {
    if (target !== undefined && !Object.hasOwn(steps, target)) {
      refuse(path, "must be the name of a step");
    }
  };
  for (const entrance of ["start", "whenSignedIn", "whenStored"] as const) {
    checkTarget([entrance], scenario[entrance]);
  }
  for (const [stepName, step] of Object.entries(steps)) {
    const place = ["steps", stepName];
    checkTarget([...place, "next"], step.next);
    checkTarget([...place, "onTimeout"], step.onTimeout);
    const { fields = [], choices = [], answers = [] } = step;
    if (step.step === "AWAITING_INPUT" && fields.length + choices.length === 0) {
      refuse(place, "must have fields or choices, because it waits for input");
    }
    const ids = (entries: readonly FormInput[]) => entries.map(({ id }) => id);
    for (const [list, entries] of Object.entries({ fields, choices })) {
      for (const [index, id] of ids(entries).entries()) {
        if (ids(entries).indexOf(id) < index) {
          refuse([...place, list, index, "id"], "is a duplicate");
        }
      }
    }
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
      for (const id of Object.keys(answer.fields ?? {}).filter((id) => !ids(fields).includes(id))) {
        refuse([...at, "fields", id], "must be a field of the step");
      }
      if (answer.choice !== undefined && !ids(choices).includes(answer.choice)) {
        refuse([...at, "choice"], "must be a choice of the step");
      }
    }
  }
}
