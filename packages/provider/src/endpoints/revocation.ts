import type { Middleware } from 'koa';
import { readForm, replaceForm } from '../library/form-body.ts';
import { routes } from '../library/paths.ts';
import { type AccessTokenJwts, grantOfJwt } from '../tokens/access-token.ts';
import { wrapJwt } from '../tokens/token-value.ts';

/**
 * Revokes a JWT access token by revoking its grant, which userinfo and introspection check (RFC 7009). Left alone,
 * oidc-provider would refuse every JWT. It still refuses a JWT without a grant, which can only expire. The middleware
 * also removes the Content-Type of the empty response.
 */
export const createRevocationMiddleware =
  (jwts: Pick<AccessTokenJwts, 'open'>): Middleware =>
  async (ctx, next) => {
    if (ctx.path !== routes.revocation || ctx.method !== 'POST') return next();
    const form = await readForm(ctx);
    const token = form.get('token') ?? '';
    const claims = token.startsWith('ey') ? jwts.open(token) : undefined;
    if (claims && grantOfJwt(claims.jti) !== undefined) {
      form.set('token', wrapJwt(token));
      replaceForm(ctx, form);
    }
    await next();
    // Clients such as oidc-client-ts refuse an answer of a type other than JSON, although it is empty.
    if (ctx.body === '') ctx.remove('Content-Type');
  };
