import type { Middleware } from 'koa';
import { jwksMaxAgeSeconds } from '../keys/jwks-age.ts';
import { routes } from './paths.ts';

/** Public keys may be cached, but not longer than a new key waits before it signs. */
export const jwksCaching: Middleware = async (ctx, next) => {
  await next();
  if (ctx.path !== routes.jwks || ctx.status !== 200) return;
  ctx.set('Cache-Control', `public, max-age=${jwksMaxAgeSeconds}`);
  ctx.remove('Pragma');
};
