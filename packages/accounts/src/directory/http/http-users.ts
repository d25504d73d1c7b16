import { z } from 'zod';
import { DirectoryError } from '../directory-error.ts';

const answer = z.object({
  subject: z.string().min(1).max(200),
  claims: z.record(z.string(), z.unknown()).nullish(),
});

export interface HttpUsersOptions {
  /** The name for errors. */
  readonly name: string;
  readonly url: URL;
  /** Sent as a bearer token. */
  readonly token?: string | undefined;
  /** Default: 5,000. */
  readonly timeoutMs?: number;
}

export interface HttpUser {
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Users behind an HTTP endpoint. Each function throws a DirectoryError `unavailable` for every other answer. */
export interface HttpUsers {
  /** `POST {username, password}`: 200 `{subject, claims?}`; 401: unknown user or wrong password. */
  authenticate(username: string, password: string): Promise<HttpUser | undefined>;
  /** `GET ?subject=`: 200 `{subject, claims?}`; 404: unknown subject, or a user who may not sign in. */
  bySubject(subject: string): Promise<HttpUser | undefined>;
  /** `GET ?username=`: 200 `{subject, claims?}`; 404: unknown user, or one who may not sign in. */
  byUsername(username: string): Promise<HttpUser | undefined>;
}

const maxAnswerBytes = 1_048_576;

const readJson = async (response: Response): Promise<unknown> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxAnswerBytes) throw new Error('the answer has more than 1 MiB');
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString());
};

const reasonOf = (error: unknown): string => {
  if (error instanceof z.ZodError) return `the answer is not {subject, claims}: ${z.prettifyError(error)}`;
  if (error instanceof SyntaxError) return 'the answer is not JSON';
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
};

/** Users behind an HTTP endpoint. */
export const createHttpUsers = ({ name, url, token, timeoutMs = 5000 }: HttpUsersOptions): HttpUsers => {
  const ask = async (at: URL, body: unknown, absent: 401 | 404): Promise<HttpUser | undefined> => {
    const headers = new Headers({ accept: 'application/json' });
    if (token) headers.set('authorization', `Bearer ${token}`);
    if (body !== undefined) headers.set('content-type', 'application/json');
    try {
      const response = await fetch(at, {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        // A password must not follow a redirect to another host.
        redirect: 'error',
        cache: 'no-store',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status !== 200) await response.body?.cancel();
      if (response.status === absent) return undefined;
      if (response.status !== 200) throw new Error(`the endpoint answered ${response.status}`);
      const { subject, claims } = answer.parse(await readJson(response));
      return { subject, claims: claims ?? {} };
    } catch (error) {
      throw new DirectoryError('unavailable', name, `${url.origin}${url.pathname}: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  };
  const get = (parameter: string, value: string) => {
    const at = new URL(url);
    at.searchParams.set(parameter, value);
    return ask(at, undefined, 404);
  };

  return {
    authenticate: (username, password) => ask(url, { username, password }, 401),
    bySubject: (subject) => get('subject', subject),
    byUsername: (username) => get('username', username),
  };
};
