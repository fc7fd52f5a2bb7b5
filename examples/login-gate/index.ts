import * as pulumi from "@pulumi/pulumi";
import { Extension, LoginFlow } from "pulumi-browser-infra";

const config = new pulumi.Config();

// Waits for a login, but does not start one. "pulumi up" prints the address where a person logs in.
const login = new LoginFlow("login", {
  connectionId: config.require("connectionId"),
  timeout: config.require("timeout"),
  onFailure: config.require("onFailure") === "continue" ? "continue" : "fail",
});

// Everything that is useless without the login depends on it, so Pulumi creates it afterwards.
const reader = new Extension("order-reader", { path: "./extension" }, { dependsOn: login });

/**
 * SUCCESS; with "onFailure: continue" also FAILED, EXPIRED or CANCELED. Empty if the profile was
 * already logged in.
 */
export const loginStatus = login.flowStatus;
/** The id to start a browser with, together with the logged-in profile. */
export const extensionId = reader.id;
