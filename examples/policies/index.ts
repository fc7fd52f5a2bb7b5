import { PolicyPack } from "@pulumi/policy";
import { policies } from "./rules";

new PolicyPack("browser-infra", { policies, enforcementLevel: "mandatory" });
