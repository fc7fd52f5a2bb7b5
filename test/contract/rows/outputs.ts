import { kinds, outputsOf, resourceKinds } from "../../../src/bridges/kinds.js";
import { unknownMarker } from "../../../src/bridges/wire-values.js";
import type { Bridge } from "../../bridges/provider-process.js";
import type { Properties } from "../../bridges/wire-messages.js";
import type { Registered } from "../model/played-engine.js";
import { samples } from "./samples.js";
import { shortenWaits } from "./shorter-waits.js";
import { Stage } from "./stage.js";

/**
 * Tests outputs without a value, for all kinds. The test needs a bridge, because only a bridge
 * builds the form in which the engine receives outputs. A single program declares all kinds,
 * because every run starts a process.
 */
export function testOutputs(bridge: Bridge): void {
  let stage: Stage;

  shortenWaits();

  beforeAll(async () => {
    stage = await Stage.open(bridge);
  });

  afterAll(() => stage.close());

  test("an output without a value causes no change in a preview, also as an input of another resource", async () => {
    stage.begin(samples.Project);
    // Logged in, so that nothing waits for a login.
    const { id: connectionId } = stage.emulator.authConnections.create({
      domain: "other.example",
      profileName: "other",
      status: "AUTHENTICATED",
    });
    const all = (step: "first" | "changed"): Record<string, Registered> =>
      Object.fromEntries(
        resourceKinds.map((kind) => [kind, { type: kind, properties: program(kind, step, connectionId) }]),
      );
    const declare = (step: "first" | "changed", missing: Properties[string]) =>
      stage.declare({}, [], { ...all(step), taker: takerOf(stage, missing) });

    stage.declare({}, [], all("first"));
    expect(await stage.up()).toBeUndefined();
    expect(missingOutputs(stage)).toEqual([]);
    declare("changed", undefined);
    expect(await stage.up()).toBeUndefined();
    declare("changed", unknownMarker);
    expect(await stage.engine.previewed()).toMatchObject({ steps: [], failures: [] });
    expect(await stage.refresh()).toBeUndefined();
    expect(missingOutputs(stage)).toEqual([]);
  });
}

/** Inputs of a kind in the program. `changed`: with a change in place, if the kind allows any. */
function program(
  kind: (typeof resourceKinds)[number],
  step: "first" | "changed",
  connectionId: string,
): Properties {
  if (kind === "LoginFlow") {
    return { connectionId, ...(step === "changed" && { timeout: "5m" }) };
  }
  if (kind === "Profile") {
    // The connection of the program creates a profile with the name of the sample.
    return { name: step };
  }
  const sample = samples[kind];
  return sample[step] ?? sample.first;
}

/** Outputs that the state does not contain, not even as null. */
function missingOutputs({ engine }: Stage): string[] {
  return resourceKinds.flatMap((kind) => {
    const { outputs = {} } = engine.find(kind) ?? {};
    const missing = Object.keys(outputsOf(kinds[kind])).filter((name) => outputs[name] === undefined);
    return missing.map((name) => `${kind}.${name}`);
  });
}

/**
 * Resource that takes every missing output. `missing`: the program's value for an output that is
 * not in the state. Source: Pulumi's SDK, where the value is unknown in a preview and undefined in
 * an update. A null output is undefined in both.
 */
function takerOf(stage: Stage, missing: Properties[string]): Registered {
  const taken = missing === undefined ? [] : missingOutputs(stage).map((name) => [name, missing]);
  const chromePolicy = { Taken: true, ...Object.fromEntries(taken) };
  return { type: "BrowserPool", properties: { name: "taker", size: 1, chromePolicy } };
}
