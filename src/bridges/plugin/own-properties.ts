/** Separates the properties of the life cycles from properties added by a bridge or the engine. */
import type { DiffRequest, UpdateRequest } from "@pulumi/pulumi/proto/provider_pb.js";
import { isPropertyMap, type PropertyMap } from "../../providers/properties.js";
import { hiddenInput, hiddenMembers } from "../../resources/dynamic-contract.js";
import { mapFromText } from "../wire-values.js";
import { propertiesOf } from "./wire.js";

/** Input with the memo of `check`, as JSON text. The engine hides names that begin with `__`. */
const memoInput = "__memo";

/** Converts a request for a comparison or an update to the terms of the life cycles. */
export function lifecycleRequestOf(request: DiffRequest | UpdateRequest) {
  const news = propertiesOf(request.getNews());
  return {
    id: request.getId(),
    olds: ownProperties(propertiesOf(request.getOlds())),
    news: ownProperties(news),
    memo: memoOf(news),
  };
}

/** Drops properties added by a bridge or the engine: all names that begin with `__`. */
export function ownProperties(properties: PropertyMap): PropertyMap {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}

/** Reads the memo of an earlier check, also of the dynamic resource before the move. */
export function memoOf(properties: PropertyMap): PropertyMap | undefined {
  const ofDynamic = mapFromText(properties[hiddenInput])?.[hiddenMembers.memo];
  return mapFromText(properties[memoInput]) ?? (isPropertyMap(ofDynamic) ? ofDynamic : undefined);
}

/** Adds the memo for the next check to inputs. */
export function withMemo(inputs: PropertyMap, memo: PropertyMap | undefined): PropertyMap {
  return memo === undefined ? inputs : { ...inputs, [memoInput]: JSON.stringify(memo) };
}
