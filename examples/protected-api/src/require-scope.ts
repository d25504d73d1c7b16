import type { RequestHandler } from 'express';

export interface TokenClaims {
  readonly sub?: string;
  readonly scope?: string;
  readonly ext?: Readonly<Record<string, unknown>>;
}

/** The claims of a token. Undefined if the token is not valid. Throws if the token cannot be verified at present. */
export type Verify = (token: string) => Promise<TokenClaims | undefined>;

/** Accepts a request with a token that has a scope. The answers are those of RFC 6750, section 3. */
export const requireScope =
  (verify: Verify, scope: string): RequestHandler =>
  async (request, response, next) => {
    const refuse = (status: number, challenge: string, body: object): void =>
      void response.status(status).set('WWW-Authenticate', challenge).json(body);
    const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return refuse(401, 'Bearer', {});
    let claims: TokenClaims | undefined;
    try {
      claims = await verify(token);
    } catch {
      // An outage is no reason for the client to discard its token.
      response.status(503).set('Retry-After', '5').json({ error: 'temporarily_unavailable' });
      return;
    }
    if (claims === undefined) return refuse(401, 'Bearer error="invalid_token"', { error: 'invalid_token' });
    if (!claims.scope?.split(' ').includes(scope))
      return refuse(403, `Bearer error="insufficient_scope", scope="${scope}"`, { error: 'insufficient_scope' });
    response.locals.claims = claims;
    next();
  };
