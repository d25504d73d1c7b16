const alphabet = /^[A-Za-z0-9_-]*$/;
/** The permitted last characters by `length % 4`: unused bits must be zero (RFC 4648, section 3.5). */
const lastCharacters = ['', '', 'AQgw', 'AEIMQUYcgkosw048'] as const;

/** Whether a text is the canonical base64url of its bytes. `Buffer.from` decodes many texts to the same bytes. */
export const isBase64url = (text: string): boolean => {
  const over = text.length % 4;
  return alphabet.test(text) && (over === 0 || (lastCharacters[over] ?? '').includes(text.slice(-1)));
};

/**
 * Decodes canonical base64url. Unlike `Buffer.from`, it accepts exactly one text for given bytes; otherwise undefined.
 */
export const decodeBase64url = (text: string): Buffer | undefined =>
  isBase64url(text) ? Buffer.from(text, 'base64url') : undefined;
