/** CRC-16/XMODEM, as the Redis Cluster specification has it. */
const crc16 = (bytes: Uint8Array): number => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return crc & 0xffff;
};

const encoder = new TextEncoder();

/** The hash slot of a key: computed from the text in its first braces, unless that is empty. */
export const slotOf = (key: string): number => {
  const tag = /\{([^}]+)\}/.exec(key.slice(Math.max(key.indexOf('{'), 0)));
  const hashed = tag?.index === 0 ? (tag[1] as string) : key;
  return crc16(encoder.encode(hashed)) % 16_384;
};
