/** Tells the properties that the life cycles know from those that a bridge or the engine adds. */
import type { DiffRequest, UpdateRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { isPropertyMap, type PropertyMap, type PropertyValue } from "../../providers/properties.js";
import { hiddenInput, hiddenMembers } from "../dynamic/contract.js";
import { propertiesOf } from "./wire.js";

/**
 * The input that keeps the memo of `check`, as JSON: the engine sends the inputs four times in a
 * preview, and one string costs it, gRPC and us less than a dozen values. The engine shows no name
 * that begins with `__`.
 */
const memoInput = "__memo";

/** A comparison or an update, in the terms of the life cycles. */
export function changeOf(request: DiffRequest | UpdateRequest) {
  const news = propertiesOf(request.getNews());
  return {
    id: request.getId(),
    olds: ownProperties(propertiesOf(request.getOlds())),
    news: ownProperties(news),
    memo: memoOf(news),
  };
}

/** Without what a bridge or the engine adds, whose names all begin with `__`. */
export function ownProperties(properties: PropertyMap): PropertyMap {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}

/** The memo that an earlier check left in the inputs, or one of the dynamic resource that this was. */
export function memoOf(properties: PropertyMap): PropertyMap | undefined {
  const ofDynamic = properties[hiddenInput];
  const stored =
    properties[memoInput] ?? (isPropertyMap(ofDynamic) ? ofDynamic[hiddenMembers.memo] : undefined);
  const memo = typeof stored === "string" ? parsedOrUndefined(stored) : stored;
  return isPropertyMap(memo) ? memo : undefined;
}

/** Inputs as the engine keeps them, with what the next check needs. */
export function withMemo(inputs: PropertyMap, memo: PropertyMap | undefined): PropertyMap {
  return memo === undefined ? inputs : { ...inputs, [memoInput]: JSON.stringify(memo) };
}

function parsedOrUndefined(json: string): PropertyValue | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
