/**
 * Reads a setting of the stack that the engine passes to a provider process itself, in
 * `PULUMI_CONFIG`: those of its own namespace, decrypted, as the stack has them today, and by their
 * names without the namespace. Every provider process has them, also that of an explicit provider.
 * Pulumi does not document this, so whatever cannot be read counts as not set. Source: Pulumi's
 * engine, pkg/host/host.go.
 */
export function ownSetting(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  try {
    const settings: unknown = JSON.parse(environment.PULUMI_CONFIG ?? "{}");
    const value = new Map(Object.entries(settings ?? {})).get(name);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
