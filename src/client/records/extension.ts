/** An extension. */
export interface Extension {
  /** Unique id. The service uses 24 characters of a-z and 0-9; treat it as opaque. */
  readonly id: string;
  /** Name, unique within the project; no value for an extension uploaded without a name. */
  readonly name: string | null;
  /**
   * SHA-256 of the exact bytes of the uploaded archive, 64 lowercase hexadecimal digits; no value
   * for old records and for extensions packed by the service.
   */
  readonly checksum: string | null;
  /** Size of the uploaded archive, in bytes. */
  readonly sizeBytes: number;
  /** Upload time, as an ISO 8601 date-time, if readable. */
  readonly createdAt: string | null;
  /** Time of the last load by a browser, as an ISO 8601 date-time, if reported and readable. */
  readonly lastUsedAt: string | null;
}
