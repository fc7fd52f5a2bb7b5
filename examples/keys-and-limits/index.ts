import * as pulumi from "@pulumi/pulumi";
import { nameKeys } from "./name-keys";

const config = new pulumi.Config();

/**
 * The name of each environment's key. To set an id: pulumi config set --path keys.staging <key id>
 */
export const keyNames = nameKeys({
  projectName: config.require("project"),
  browsersAtOnce: config.requireNumber("browsersAtOnce"),
  keys: config.requireObject<Record<string, string>>("keys"),
});
