/** The highest code point: with it as suffix, a text is above every text that begins with it. Columns compare byte by byte. */
const last = '\u{10ffff}';

/** The text below which every text is that begins with `prefix`. */
export const prefixEnd = (prefix: string): string => `${prefix}${last}`;
