import type { z } from 'zod';
import { Problem } from '../problem.ts';

export interface AdminApiOptions {
  readonly adminUrl: URL;
  readonly adminToken?: string | undefined;
  readonly issuer: URL;
  /** Default 5,000. */
  readonly timeoutMilliseconds?: number;
}

export interface AdminRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/admin`, such as `/clients`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Sends a request to the admin API and returns every response below 500.
 *
 * @throws Problem `api_unavailable` if the provider does not answer in time, or with a 5xx
 */
export const requestAdmin = async (
  { adminUrl, adminToken, timeoutMilliseconds = 5000 }: AdminApiOptions,
  { method, path, query = {}, body }: AdminRequest,
): Promise<Response> => {
  const headers = new Headers({ accept: 'application/json' });
  if (adminToken) headers.set('authorization', `Bearer ${adminToken}`);
  if (body !== undefined) headers.set('content-type', 'application/json');
  try {
    const response = await fetch(`${adminUrl.href.replace(/\/$/, '')}/admin${path}?${new URLSearchParams(query)}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      // The token must not follow a redirect to another host.
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    if (response.status >= 500) throw new Error(`the admin API answered ${response.status}`);
    return response;
  } catch (cause) {
    throw new Problem('api_unavailable', { cause });
  }
};

export const refused = (response: Response): Problem =>
  new Problem('api_refused', { cause: `the admin API answered ${response.status}` });

/** The body of a successful response. @throws Problem `api_refused` for any other response, or a body that is not valid */
export const parsed = async <T>(response: Response, schema: z.ZodType<T>): Promise<T> => {
  if (!response.ok) throw refused(response);
  const result = schema.safeParse(await response.json().catch(() => undefined));
  if (!result.success) throw new Problem('api_refused', { cause: result.error });
  return result.data;
};
