import type { Emulator } from "../../src/emulator/index.js";
import { extensionZip } from "../support/stored-zip.js";

/** Headers of an accepted request, and `more`. */
export function signed(emulator: Emulator, more: Record<string, string> = {}): Record<string, string> {
  return { authorization: `Bearer ${emulator.apiKeys[0]}`, ...more };
}

/** Sends a signed request with undici's fetch. */
export function call(
  emulator: Emulator,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${emulator.url}${path}`, { method, headers: signed(emulator, headers) });
}

/** Sends a signed request with a JSON body. */
export function send(
  emulator: Emulator,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${emulator.url}${path}`, {
    method,
    body: JSON.stringify(body),
    headers: signed(emulator, { "content-type": "application/json", ...headers }),
  });
}

/** JSON of a response. Expects the given status. */
export async function json<Body>(response: Response | Promise<Response>, status = 200): Promise<Body> {
  const answer = await response;
  const body = await answer.text();
  expect({ status: answer.status, body }).toMatchObject({ status });
  return JSON.parse(body) as Body;
}

/** Project in the service's format. */
export interface WireProject {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** API key in the service's format. */
export interface WireApiKey {
  readonly id: string;
  readonly name: string;
  readonly masked_key: string;
  readonly project_id: string | null;
  readonly project_name: string | null;
  readonly created_at: string;
  readonly created_by: { readonly id: string; readonly email: string; readonly name: string | null };
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly deleted_at: string | null;
  readonly key?: string;
}

/** Uploads an extension, by default with an archive made from the name. */
export function upload(
  emulator: Emulator,
  {
    name,
    bytes = extensionZip(name),
    headers,
  }: { name?: string; bytes?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> } = {},
): Promise<Response> {
  const form = new FormData();
  form.set("file", new Blob([bytes]), "extension.zip");
  if (name !== undefined) {
    form.set("name", name);
  }
  return fetch(`${emulator.url}/extensions`, {
    method: "POST",
    body: form,
    headers: signed(emulator, headers),
  });
}

/** Extension in the service's format. */
export interface WireExtension {
  readonly id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly size_bytes: number;
  readonly checksum: string | null;
  readonly last_used_at: string | null;
}

/** Uploads and returns the record; fails if the upload is refused. */
export async function stored(
  emulator: Emulator,
  extension: Parameters<typeof upload>[1] = {},
): Promise<WireExtension> {
  const response = await upload(emulator, extension);
  expect(response.status).toBe(201);
  return (await response.json()) as WireExtension;
}

/** Status and members of an error body that programs read. */
export async function refusal(
  response: Response,
): Promise<{ status: number; code: string; inner?: string | undefined; message: string }> {
  expect(response.headers.get("content-type")).toBe("application/json");
  const body = (await response.json()) as { code: string; message: string; inner_error?: { code: string } };
  return { status: response.status, code: body.code, inner: body.inner_error?.code, message: body.message };
}
