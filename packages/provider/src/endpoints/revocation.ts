import type { Middleware } from 'koa';
import { readForm, replaceForm } from '../library/form-body.ts';
import { routes } from '../library/paths.ts';
import { type AccessTokenJwts, grantOfJwt } from '../tokens/access-token.ts';
import { wrapJwt } from '../tokens/token-value.ts';

/**
 * Lets a JWT access token of a person's grant be revoked: with it goes the grant, which is what userinfo and
 * introspection ask about. oidc-provider refuses structured tokens, and rightly so those that hang on nothing stored.
 * It also removes the content type of the empty answer.
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
