import { Command } from "commander";
import type { Streams } from "../terminal/streams.js";
import { importExtensionCommand } from "./import.js";
import { importApiKeyCommand } from "./import-api-key-command.js";

/** `browser-infra import`: prepares what exists for `pulumi import --file`, which cannot ask a dynamic provider to read it. */
export function importCommand(streams: Streams): Command {
  return new Command("import")
    .description("Prepare resources that exist for pulumi import.")
    .addCommand(importExtensionCommand(streams))
    .addCommand(importApiKeyCommand(streams));
}
