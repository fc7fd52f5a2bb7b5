import * as pulumi from "@pulumi/pulumi";
import { Provider } from "pulumi-browser-infra";
import { Browsers } from "./browsers";

const config = new pulumi.Config();

// The stack keeps the names of the variables and not the keys, so "refresh" and "destroy" use the
// current ones.
const eu = new Provider("eu", {
  apiKeyFrom: { env: "EU_API_KEY" },
  baseUrl: config.require("euAddress"),
});
const us = new Provider("us", {
  apiKeyFrom: { env: "US_API_KEY" },
  baseUrl: config.require("usAddress"),
});

/** The id of the extension in each account. */
export const extensionIds = {
  eu: new Browsers("eu", { path: "./extension" }, { providers: [eu] }).extensionId,
  us: new Browsers("us", { path: "./extension" }, { providers: [us] }).extensionId,
};
