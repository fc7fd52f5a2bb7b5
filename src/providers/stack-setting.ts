/**
 * Reads a setting of the stack from `PULUMI_CONFIG`. The engine passes this variable to every
 * provider process, including explicit providers: the current settings of the provider's namespace,
 * decrypted, by name without the namespace. Undocumented, so an unreadable setting counts as not
 * set. Source: Pulumi's engine, pkg/host/host.go.
 */
export function stackSetting(
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
