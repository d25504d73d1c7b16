import type { Context } from 'koa';
import type { HttpResponse } from '../http/types.ts';

/** Replaces the prepared response: no cookie, redirect or body of it remains. */
export const respondWith = (ctx: Context, { status, headers = {}, body }: HttpResponse): void => {
  for (const name of ['Location', 'Set-Cookie', 'WWW-Authenticate']) ctx.remove(name);
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body ?? null;
};

/** The body of an OAuth error (RFC 6749, section 5.2). */
export const oauthError = (status: number, error: string, description: string): HttpResponse => ({
  status,
  headers: {
    'Content-Type': 'application/json; charset=utf-8',
    Pragma: 'no-cache',
    ...(status === 503 ? { 'Retry-After': '1' } : {}),
  },
  body: { error, error_description: description },
});
