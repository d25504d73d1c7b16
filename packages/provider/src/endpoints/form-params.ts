/**
 * Text in which only `%` and `+` need decoding. Printable characters decode to no control characters. `URLSearchParams`
 * drops a leading `?`.
 */
const printable = /^(?!\?)[\x21-\x7e]*$/;
const forbidden = /[\p{Cc}\p{Cs}\uFFFD]/u;

const decode = (text: string): string | undefined => {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return forbidden.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
};

/**
 * Parses a form or a query in which each parameter occurs once, without control characters and malformed escapes: every
 * parser reads it alike.
 *
 * @returns undefined for any other form, which is forwarded to oidc-provider
 */
export const parsePlainForm = (text: string): ReadonlyMap<string, string> | undefined => {
  if (!printable.test(text)) return undefined;
  const params = new Map<string, string>();
  if (text === '') return params;
  for (const pair of text.split('&')) {
    const at = pair.indexOf('=');
    const name = at < 1 ? undefined : decode(pair.slice(0, at));
    const value = decode(pair.slice(at + 1));
    if (name === undefined || value === undefined || params.has(name)) return undefined;
    params.set(name, value);
  }
  return params;
};
