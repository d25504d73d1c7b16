/** The words of a space-separated parameter, each once (RFC 6749, section 3.3); anything but text has none. */
export const words = (text: unknown): string[] =>
  typeof text === 'string' ? [...new Set(text.split(' ').filter(Boolean))] : [];
