import type { Context } from 'koa';
import type { HttpResponse } from '../http/types.ts';

/** Replaces the prepared response: no cookie, redirect or body of it remains. */
export const respondWith = (ctx: Context, { status, headers = {}, body }: HttpResponse): void => {
  for (const name of ['Location', 'Set-Cookie', 'WWW-Authenticate']) ctx.remove(name);
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body ?? null;
};

/** The refusal of a DPoP proof at userinfo (RFC 9449, section 7.1). */
export const refusedProof = (error_description: string): HttpResponse => ({
  status: 401,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    Pragma: 'no-cache',
    'WWW-Authenticate': 'DPoP error="invalid_dpop_proof"',
  },
  body: { error: 'invalid_dpop_proof', error_description },
});
