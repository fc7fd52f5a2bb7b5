import { join, resolve } from "node:path";

/** Folder of Node's compiled code of programs that tests start, kept between runs. */
export const compileCache = resolve(__dirname, "../../../.tools/test-compile-cache");

/**
 * Environment for a faster start of a Pulumi program, or of a provider process of Pulumi's SDK. Has
 * a separate cache, because V8 rejects code compiled under different flags.
 */
export function withFasterSdk(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const preload = `--require ${JSON.stringify(join(__dirname, "faster-sdk.cjs"))}`;
  return {
    NODE_COMPILE_CACHE: join(compileCache, "sdk"),
    ...environment,
    NODE_OPTIONS: `${preload} ${environment.NODE_OPTIONS ?? ""}`.trim(),
  };
}
