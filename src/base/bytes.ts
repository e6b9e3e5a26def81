// Bytes as a Buffer that shares them: `Buffer.from(bytes)` would copy, and what a process printed can be large.

export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
