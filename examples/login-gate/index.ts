import * as pulumi from "@pulumi/pulumi";
import { Extension, LoginFlow } from "pulumi-browser-infra";

const config = new pulumi.Config();

// Waits for a login and starts none. The address where a person logs in stands in the output of "pulumi up".
const login = new LoginFlow("login", {
  connectionId: config.require("connectionId"),
  timeout: config.require("timeout"),
  onFailure: config.require<"fail" | "continue">("onFailure"),
});

// Everything that has no use without the login depends on it, and is made after it.
const reader = new Extension("order-reader", { path: "./extension" }, { dependsOn: login });

/** SUCCESS, or with "onFailure: continue" also FAILED, EXPIRED or CANCELED; empty when the profile was logged in already. */
export const loginStatus = login.flowStatus;
/** The id a browser with the logged-in profile is started with. */
export const extensionId = reader.id;
