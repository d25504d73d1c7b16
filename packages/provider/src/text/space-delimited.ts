/** The distinct values of a space-delimited parameter (RFC 6749, section 3.3). Anything but text has none. */
export const spaceDelimited = (text: unknown): string[] =>
  typeof text === 'string' ? [...new Set(text.split(' ').filter(Boolean))] : [];

const scopeSyntax = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** Whether a text has the syntax of a `scope`: values with one space between them (RFC 6749, section 3.3). */
export const isScope = (text: string): boolean => scopeSyntax.test(text);

/**
 * The distinct values of a space-delimited parameter that may be repeated, such as `resource` (RFC 8707, section 2).
 */
export const spaceDelimitedAll = (value: unknown): string[] => [
  ...new Set([value ?? []].flat().flatMap(spaceDelimited)),
];
