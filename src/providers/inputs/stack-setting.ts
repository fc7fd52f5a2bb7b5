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
  const value = stackSettings(environment).get(name);
  return typeof value === "string" ? value : undefined;
}

/** Reads all settings, as {@link stackSetting}. */
export function stackSettings(
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, unknown> {
  try {
    const settings: unknown = JSON.parse(environment.PULUMI_CONFIG ?? "{}");
    return new Map(Object.entries(settings ?? {}));
  } catch {
    return new Map();
  }
}
