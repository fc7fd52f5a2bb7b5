import type { z } from "zod";
import { formOf } from "../form.js";
import type { UncheckedScenario } from "./schema.js";

/** Finds missing steps, fields and choices, duplicate names, and steps that cannot be answered. */
export function checkScenario({ steps, ...scenario }: UncheckedScenario, context: z.RefinementCtx): void {
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
    if (step.step === "END") {
      continue;
    }
    const place = ["steps", stepName];
    checkTarget([...place, "next"], step.next);
    checkTarget([...place, "onTimeout"], "onTimeout" in step ? step.onTimeout : undefined);
    const { fields, choices } = formOf(step);
    const answers = ("answers" in step && step.answers) || [];
    if (step.step === "AWAITING_INPUT" && fields.length + choices.length === 0) {
      refuse(place, "must have fields or choices, because it waits for input");
    }
    const ids = { fields: fields.map(({ id }) => id), choices: choices.map(({ id }) => id) };
    for (const [list, listed] of Object.entries(ids)) {
      for (const [index, id] of listed.entries()) {
        if (listed.indexOf(id) < index) {
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
      for (const id of Object.keys(answer.fields ?? {}).filter((id) => !ids.fields.includes(id))) {
        refuse([...at, "fields", id], "must be a field of the step");
      }
      if (answer.choice !== undefined && !ids.choices.includes(answer.choice)) {
        refuse([...at, "choice"], "must be a choice of the step");
      }
    }
  }
}
