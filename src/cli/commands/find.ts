import type { BrowserInfraClient, Extension } from "../../client/index.js";

/** Finds an extension by id or by exact name; the service alone would also take a name that differs in case. */
export async function findExtension(
  client: BrowserInfraClient,
  idOrName: string,
  signal: AbortSignal,
): Promise<Extension> {
  const found = await client.extensions.get(idOrName, { signal });
  if (found.id === idOrName || found.name === idOrName) {
    return found;
  }
  return client.extensions.getByName(idOrName, { signal });
}
