const alphabet = /^[A-Za-z0-9_-]*$/;
/** What may stand last, by what the length leaves over four: the bits that belong to no byte are zero (RFC 4648, 3.5). */
const lastCharacters = ['', '', 'AQgw', 'AEIMQUYcgkosw048'] as const;

/** Whether a text is the one that its bytes are written as. `Buffer.from` reads many texts as the same bytes. */
export const isBase64url = (text: string): boolean => {
  const over = text.length % 4;
  return alphabet.test(text) && (over === 0 || (lastCharacters[over] ?? '').includes(text.slice(-1)));
};

/** The bytes of base64url, without the leniency of `Buffer.from`: exactly one text decodes to given bytes. */
export const decodeBase64url = (text: string): Buffer | undefined =>
  isBase64url(text) ? Buffer.from(text, 'base64url') : undefined;
