import { z } from 'zod';
import { Problem } from '../problem.ts';
import type { UserDirectory } from './user-directory.ts';

const claims = z.record(z.string(), z.unknown()).nullish();
const found = z.object({ subject: z.string().min(1), claims });

export interface HttpDirectoryOptions {
  readonly url: URL;
  readonly token?: string | undefined;
  /** Default 5,000. */
  readonly timeoutMilliseconds?: number;
}

const ask = async (
  { token, timeoutMilliseconds = 5000 }: HttpDirectoryOptions,
  url: URL,
  body: unknown,
  absent: 401 | 404,
) => {
  const headers = new Headers({ accept: 'application/json' });
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (body) headers.set('content-type', 'application/json');
  try {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      // A password must not follow a redirect to another host.
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    if (response.status === absent) return undefined;
    if (!response.ok) throw new Error(`the user directory answered ${response.status}`);
    return found.parse(await response.json());
  } catch (cause) {
    throw new Problem('directory_unavailable', { cause });
  }
};

/**
 * Asks an HTTP endpoint: `POST {username, password}` answers 200 `{subject, claims}` or 401, `GET ?subject=` answers
 * 200 the same
 * or 404. That the time taken tells nothing of which names exist is the endpoint's duty.
 */
export const createHttpDirectory = (options: HttpDirectoryOptions): UserDirectory => ({
  authenticate: async (username, password) => {
    const user = await ask(options, options.url, { username, password }, 401);
    return user && { subject: user.subject, claims: user.claims ?? {} };
  },
  claims: async (subject) => {
    const url = new URL(options.url);
    url.searchParams.set('subject', subject);
    const user = await ask(options, url, undefined, 404);
    return user && (user.claims ?? {});
  },
});
