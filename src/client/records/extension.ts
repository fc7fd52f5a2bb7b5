/** An extension. */
export interface Extension {
  /** Unique id. The service uses 24 characters of a-z and 0-9; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the project; no value when it was uploaded without one. */
  readonly name: string | null;
  /**
   * SHA-256 of the exact bytes of the uploaded archive, 64 lowercase hexadecimal digits; no value
   * for old records and for extensions that the service packed itself.
   */
  readonly checksum: string | null;
  /** Size of the uploaded archive, in bytes. */
  readonly sizeBytes: number;
  /** When it was uploaded, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** When a browser last loaded it, as an ISO 8601 date-time, if the service says so readably. */
  readonly lastUsedAt: string | null;
}
