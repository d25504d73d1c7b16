import type { HttpPool } from './http-pool.ts';

const json = { 'content-type': 'application/json' };

const base = '/admin/oauth2/auth/requests/';

export interface Decision {
  readonly what: 'login' | 'consent';
  /** `reject`: the user refuses. Default `accept`. */
  readonly verb?: 'accept' | 'reject';
  readonly body: object;
}

const queryOf = (page: string): string => page.slice(page.indexOf('?'));

/**
 * Fetches the request of a page, as the login app does.
 *
 * @param page the URL to which the browser was redirected
 * @param skip whether the request must say that the user is known, or consent is remembered
 */
export const fetchRequest = async (
  pool: HttpPool,
  page: string,
  { what, skip }: { readonly what: Decision['what']; readonly skip: boolean },
): Promise<void> => {
  const { body } = await pool.send({ method: 'GET', path: base + what + queryOf(page) }, 200);
  const request = JSON.parse(body) as { challenge?: string; skip?: boolean };
  if (!request.challenge || request.skip !== skip) {
    throw new Error(`the ${what} request is not the expected one: ${body.slice(0, 300)}`);
  }
};

/** Decides the request of a page; returns the URL to which the app redirects the browser. */
export const sendDecision = async (
  pool: HttpPool,
  page: string,
  { what, verb = 'accept', body }: Decision,
): Promise<string> => {
  const path = `${base}${what}/${verb}${queryOf(page)}`;
  const decided = await pool.send({ method: 'PUT', path, headers: json, body: JSON.stringify(body) }, 200);
  return (JSON.parse(decided.body) as { redirect_to: string }).redirect_to;
};

/** Fetches the request of a page and decides it. */
export const decide = async (
  pool: HttpPool,
  page: string,
  { skip, ...decision }: Decision & { readonly skip: boolean },
): Promise<string> => {
  await fetchRequest(pool, page, { what: decision.what, skip });
  return sendDecision(pool, page, decision);
};
