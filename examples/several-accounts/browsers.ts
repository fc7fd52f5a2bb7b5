import * as pulumi from "@pulumi/pulumi";
import { Extension } from "pulumi-browser-infra";

export interface BrowsersArgs {
  /** Folder of the extension. */
  path: string;
}

/** What every account needs. Its resources use the provider that the component is given. */
export class Browsers extends pulumi.ComponentResource {
  /** The id to start a browser with. */
  readonly extensionId: pulumi.Output<string>;

  constructor(name: string, args: BrowsersArgs, options: pulumi.ComponentResourceOptions) {
    super("shop:Browsers", name, {}, options);
    const reader = new Extension(`${name}-page-reader`, { path: args.path }, { parent: this });
    this.extensionId = reader.id;
    this.registerOutputs({ extensionId: this.extensionId });
  }
}
