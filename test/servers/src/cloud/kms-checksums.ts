import { GoogleRefusal } from './google-status.ts';

/** CRC-32C bit by bit: slow, and independent of the code that is tested. */
export const crc32c = (bytes: Uint8Array): number => {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0x82f63b78 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
};

/** Whether the request has this checksum. @throws GoogleRefusal if it is wrong */
export const verifiesChecksum = (given: unknown, bytes: Uint8Array, name: string): boolean => {
  if (given === undefined) return false;
  if (String(given) === String(crc32c(bytes))) return true;
  throw new GoogleRefusal('INVALID_ARGUMENT', `The checksum in field ${name} did not match the data in the field.`);
};
