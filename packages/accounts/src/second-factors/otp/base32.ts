const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 (RFC 4648, section 6) without padding, as authenticator apps read it. */
export const encodeBase32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
};

/** Undefined if the text has other characters. White space, dashes, padding and lower case are accepted. */
export const decodeBase32 = (text: string): Buffer | undefined => {
  const letters = text.toUpperCase().replaceAll(/[\s=-]/g, '');
  if (!/^[A-Z2-7]*$/.test(letters)) return undefined;
  const bits = [...letters].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
};
