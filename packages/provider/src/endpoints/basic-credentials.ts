import { invalidRequest } from '../oauth-error.ts';

/** Base64 with or without its padding. */
const basicPattern = /^basic ((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/i;
const printable = /^[\x20-\x7e]*$/;
/** Control characters, lone surrogates, and the replacement character for bytes that are not UTF-8. */
const unprintable = /[\p{Cc}\p{Cs}\uFFFD]/u;

export interface BasicCredentials {
  readonly clientId: string;
  readonly secret: string;
}

const decode = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/**
 * The credentials in an Authorization header, each encoded as a form encodes it (RFC 6749, section 2.3.1). A secret may
 * have characters beyond ASCII; many clients send those as they are, in UTF-8.
 *
 * @throws {OAuthError} `invalid_request`
 */
export const basicCredentialsIn = (authorization: string): BasicCredentials => {
  const encoded = basicPattern.exec(authorization)?.[1];
  const text = Buffer.from(encoded ?? '', 'base64').toString();
  const at = text.indexOf(':');
  if (at < 0) throw invalidRequest('invalid authorization header value format');
  const [clientId, secret] = [decode(text.slice(0, at)), decode(text.slice(at + 1))];
  if (clientId === undefined || secret === undefined || !printable.test(clientId) || unprintable.test(secret))
    throw invalidRequest('client_id and client_secret in the authorization header are not properly encoded');
  return { clientId, secret };
};
