import { kinds, outputsOf, resourceKinds } from "../../src/bridges/kinds.js";
import { unknownMarker } from "../../src/bridges/wire-values.js";
import type { Bridge } from "../bridges/provider-process.js";
import type { Properties } from "../bridges/wire-messages.js";
import type { Registered } from "../model/played-engine.js";
import { samples } from "./samples.js";
import { shortenWaits } from "./shorter-waits.js";
import { Stage } from "./stage.js";

/**
 * What all kinds promise about outputs without a value, as a test. Only a bridge makes the form in
 * which the engine gets outputs, so the test needs one. One program has all kinds, because each run
 * starts a process.
 */
export function testOutputs(bridge: Bridge): void {
  let stage: Stage;

  shortenWaits();

  beforeAll(async () => {
    stage = await Stage.open(bridge);
  });

  afterAll(() => stage.close());

  test("An output of any kind without a value is quiet in a preview, also as an input of another resource.", async () => {
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

/** What a program declares of a kind. `step`: the second changes what can be changed in place. */
function program(
  kind: (typeof resourceKinds)[number],
  step: "first" | "changed",
  connectionId: string,
): Properties {
  if (kind === "LoginFlow") {
    return { connectionId, ...(step === "changed" && { timeout: "5m" }) };
  }
  if (kind === "Profile") {
    // The connection of the program makes a profile with the name of the sample.
    return { name: step };
  }
  const sample = samples[kind];
  return sample[step] ?? sample.first;
}

/** Outputs that the state does not have, not even as null. */
function missingOutputs({ engine }: Stage): string[] {
  return resourceKinds.flatMap((kind) => {
    const { outputs = {} } = engine.find(kind) ?? {};
    const missing = Object.keys(outputsOf(kinds[kind])).filter((name) => outputs[name] === undefined);
    return missing.map((name) => `${kind}.${name}`);
  });
}

/**
 * A resource that takes each output. `missing`: the program's value for an output that the state
 * does not have. Source: Pulumi's SDK, where the value is unknown in a preview and undefined in an
 * update. An output that is null is undefined in both.
 */
function takerOf(stage: Stage, missing: Properties[string]): Registered {
  const taken = missing === undefined ? [] : missingOutputs(stage).map((name) => [name, missing]);
  const chromePolicy = { Taken: true, ...Object.fromEntries(taken) };
  return { type: "BrowserPool", properties: { name: "taker", size: 1, chromePolicy } };
}
