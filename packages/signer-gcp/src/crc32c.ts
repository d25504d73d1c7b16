/** CRC-32C (RFC 3720, appendix B.4), which Cloud KMS uses. `crc32` of node:zlib is another polynomial. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

export const crc32c = (bytes: Uint8Array): number => {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] as number);
  return (value ^ 0xffffffff) >>> 0;
};

/** As text, because Google's APIs have 64-bit integers as text in JSON. */
export const checksum = (bytes: Uint8Array): string => String(crc32c(bytes));
