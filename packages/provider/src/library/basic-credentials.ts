import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';

const basicPattern = /^basic ((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/i;
const printable = /^[\x20-\x7e]+$/;
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
 */
export const basicCredentialsIn = (authorization: string): BasicCredentials | undefined => {
  const encoded = basicPattern.exec(authorization)?.[1];
  const text = Buffer.from(encoded ?? '', 'base64').toString();
  const at = text.indexOf(':');
  const clientId = at < 1 ? undefined : decode(text.slice(0, at));
  const secret = decode(text.slice(at + 1));
  if (clientId === undefined || !printable.test(clientId)) return undefined;
  return secret === undefined || secret === '' || unprintable.test(secret) ? undefined : { clientId, secret };
};

const secrets = new WeakMap<IncomingMessage, string>();

/** The secret that was hidden from oidc-provider: it is compared in place of the one that oidc-provider has read. */
export const hiddenSecretOf = (req: IncomingMessage): string | undefined => secrets.get(req);

/**
 * oidc-provider refuses a header with characters beyond ASCII, so it gets a placeholder in place of such a secret.
 * `compareClientSecret` never compares the placeholder.
 */
export const hideWideSecret = (ctx: Context, next: () => Promise<unknown>): Promise<unknown> => {
  const { authorization } = ctx.req.headers;
  const credentials = authorization === undefined ? undefined : basicCredentialsIn(authorization);
  if (credentials !== undefined && !printable.test(credentials.secret)) {
    secrets.set(ctx.req, credentials.secret);
    const shown = Buffer.from(`${encodeURIComponent(credentials.clientId)}:hidden`).toString('base64');
    ctx.req.headers.authorization = `Basic ${shown}`;
  }
  return next();
};
