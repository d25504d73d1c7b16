import type { HttpPool } from './http-pool.ts';

const json = { 'content-type': 'application/json' };

export interface Decision {
  readonly what: 'login' | 'consent';
  /** `reject`: the user refuses. Default `accept`. */
  readonly verb?: 'accept' | 'reject';
  readonly body: object;
  /** Whether the request must say that the user is known, or consent is remembered. */
  readonly skip: boolean;
}

/**
 * Does the part of the login app: fetches the request of the page and decides it.
 *
 * @param page the URL to which the browser was redirected
 * @returns the URL to which the app redirects the browser
 */
export const decide = async (pool: HttpPool, page: string, { what, verb, body, skip }: Decision): Promise<string> => {
  const query = page.slice(page.indexOf('?'));
  const base = `/admin/oauth2/auth/requests/${what}`;
  const asked = await pool.send({ method: 'GET', path: base + query }, 200);
  const request = JSON.parse(asked.body) as { challenge?: string; skip?: boolean };
  if (!request.challenge || request.skip !== skip) {
    throw new Error(`the ${what} request is not the expected one: ${asked.body.slice(0, 300)}`);
  }
  const decided = await pool.send(
    { method: 'PUT', path: `${base}/${verb ?? 'accept'}${query}`, headers: json, body: JSON.stringify(body) },
    200,
  );
  return (JSON.parse(decided.body) as { redirect_to: string }).redirect_to;
};
