/** `ArrayBuffer.prototype.transfer` of ES2024, which every Node this package runs on has and its compiler settings do not name. */
interface Transferable {
  readonly transfer: (byteLength: number) => ArrayBuffer;
}

/**
 * Gives the memory of a buffer back at once; the buffer is empty afterwards, and so is every other view of its memory. Left
 * to the garbage collector, which hardly sees memory outside its heap, the files of a large folder are all held at once.
 *
 * Only for a buffer that owns its memory, as `Buffer.allocUnsafeSlow` makes it.
 */
export function releaseMemory({ buffer }: Uint8Array<ArrayBuffer>): void {
  (buffer as ArrayBuffer & Transferable).transfer(0);
}
