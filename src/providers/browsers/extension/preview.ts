import type { Extension } from "../../../client/index.js";
import { isSameName } from "../../../client/names.js";
import type { Call } from "../../call.js";
import type { CheckFailure, PreviewRequest } from "../../lifecycle.js";
import { warnOfPlan } from "../../organization/plan.js";
import { unknownValue } from "../../properties.js";
import { mayBeInArchived } from "../../reads/parents.js";
import { readInPreview, settingsFailures } from "../../reads/preview.js";
import { type Adoption, adoptionRefusal, extensionText, findAdoption, missingTargetReason } from "./adopt.js";
import type { ExtensionProcess } from "./object.js";
import { loadersOf, replacementFailures } from "./pools.js";
import { type ExtensionInputs, extensionInputs, extensionMemo, hasAutoName } from "./properties.js";

/**
 * For a preview: failures that the deployment of an Extension with well-formed inputs would report.
 * Shows the extension to adopt.
 *
 * A forced replacement looks like a new resource: `check` gets no old inputs, and the old extension
 * of the resource still has the name. A different resource of the stack may also free the name in
 * the same deployment. A taken name is therefore a warning with the holder, unless the holder
 * certainly stays.
 */
export async function previewFailures(
  request: PreviewRequest,
  call: Call,
  process: ExtensionProcess,
): Promise<CheckFailure[]> {
  const checked = extensionInputs.readDeclared(request.inputs);
  const memo = extensionMemo.read(request.memo ?? {});
  const olds = request.olds && extensionInputs.read(request.olds);
  const { adopt, projectId } = checked;
  const project = projectId === unknownValue ? undefined : projectId;
  const failures = await settingsFailures(project, call, memo.projectDefaulted === true ? "" : "projectId");
  if (failures.length > 0) {
    const isDeployed = olds !== undefined && olds.projectId === project;
    return (await mayBeInArchived(project, isDeployed, call)) ? [] : failures;
  }
  await warnOfPlan({ feature: "browser_extensions" }, olds === undefined, call);
  const name = hasAutoName(checked, memo) ? undefined : checked.name;
  const replaced = process.objects.run.of(call.context.urn).replaces;
  if (replaced !== undefined) {
    // The check with the old inputs has covered everything else.
    const isFixed = name !== undefined && name !== unknownValue;
    return isFixed ? replacementFailures(replaced, { name, projectId }, call) : [];
  }
  if (projectId === unknownValue) {
    return [];
  }
  const inputs = extensionInputs.read(extensionInputs.write({ ...checked, name }));
  let adopted: Adoption | undefined;
  if (typeof adopt === "string" && olds === undefined) {
    const found = await readInPreview(call, async (limited) => ({
      adoption: await findAdoption(adopt, inputs, limited, process.objects.finder),
    }));
    adopted = found?.adoption;
    if (adopted !== undefined) {
      failures.push(...(await adoptionFailures(adopted, inputs, call, process)));
    } else if (found !== undefined) {
      const target = { ...inputs, name: typeof checked.name === "string" ? checked.name : undefined };
      const refusal = await readInPreview(call, (limited) =>
        missingTargetReason(adopt, target, limited, process.objects),
      );
      failures.push(...(refusal === undefined ? [] : [{ property: "adopt", reason: refusal }]));
    }
  }
  // A name that changes only in case or accents is held by this resource.
  const hasNewName = (given: string) => !isSameName(olds?.name, given) || project !== olds?.projectId;
  if (typeof name === "string" && hasNewName(name) && failures.length === 0) {
    const { finder } = process.objects;
    const look = (limited: Call) => finder.holderOf(name, project, limited);
    const holder = (await readInPreview(call, look)) as Extension | undefined;
    // Only outputs contain an adopted name, so the checksum is compared instead.
    const isOwn =
      olds !== undefined &&
      olds.name === undefined &&
      olds.projectId === project &&
      holder?.checksum === olds.checksum;
    if (holder !== undefined && holder.id !== adopted?.extension.id && !isOwn) {
      const key = { name, projectId: project, identity: { checksum: inputs.checksum ?? "" } };
      failures.push(...finder.holderFailures(holder, key, { inputs, hasObject: olds !== undefined }, call));
    }
  }
  return failures;
}

/** Reports the extension to adopt and the effect of the deployment, or why the adoption fails. */
async function adoptionFailures(
  adoption: Adoption,
  inputs: ExtensionInputs,
  call: Call,
  { objects: { run } }: ExtensionProcess,
): Promise<CheckFailure[]> {
  const { extension, differences } = adoption;
  const { urn, report } = call.context;
  const { id } = extension;
  const other = run.otherHolderOf(id, urn);
  if (other !== undefined) {
    return [
      {
        property: "adopt",
        reason: `${other} already manages extension ${id}. Remove one of the two resources.`,
      },
    ];
  }
  run.recordStored(id, urn);
  const what = `Adopts ${extensionText(extension)}`;
  if (differences.length > 0) {
    const { projectId } = inputs;
    const loaders = await readInPreview(call, (limited) => loadersOf({ id, projectId }, limited));
    if (loaders !== undefined && inputs.name !== undefined) {
      return [{ property: "name", reason: adoptionRefusal(adoption, inputs.name, projectId, loaders) }];
    }
    const how =
      loaders === undefined
        ? "and replaces the extension in the same deployment"
        : `unchanged, because ${loaders}. The next deployment replaces the extension`;
    report.info(`${what} ${how}: ${differences.join("; ")}.`);
  } else if (extension.checksum === null) {
    report.info(
      `${what}. The service has no checksum for this extension, so the deployment downloads the archive, and replaces the extension if the bytes differ.`,
    );
  } else {
    report.info(`${what} unchanged. Nothing is uploaded.`);
  }
  return [];
}
