/** The words of a space-separated parameter, each once (RFC 6749, section 3.3); anything but text has none. */
export const words = (text: unknown): string[] =>
  typeof text === 'string' ? [...new Set(text.split(' ').filter(Boolean))] : [];

/** The words of a parameter that may come several times, such as `resource` (RFC 8707, section 2). */
export const wordsOfAll = (value: unknown): string[] => [...new Set([value ?? []].flat().flatMap(words))];
