import type { Instance } from './harness.ts';

export type Json = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Text that is no JSON is the member `text`. */
  readonly body: Json;
}

/** A request that follows no redirect. */
export const call = async (url: string, init: RequestInit = {}): Promise<Answer> => {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const body = text === '' ? {} : /^[{[]/.test(text) ? JSON.parse(text) : { text };
  return { status: response.status, headers: response.headers, body };
};

/** Empty without a token. */
export const bearerOf = (token?: unknown): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** A request with JSON. */
export const sendJson = (method: string, url: string, sent?: unknown, bearer?: unknown): Promise<Answer> =>
  call(url, { method, headers: bearerOf(bearer), body: sent === undefined ? undefined : JSON.stringify(sent) });

/** A request to the clients of the admin API. */
export const adminClients = (
  { admin }: Pick<Instance, 'admin'>,
  method: string,
  path: string,
  sent?: unknown,
): Promise<Answer> => sendJson(method, `${admin}/admin/clients${path}`, sent);

export const postForm = (
  url: string,
  form: URLSearchParams | Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => call(url, { method: 'POST', body: new URLSearchParams(form), headers });

export const userinfo = ({ issuer }: Pick<Instance, 'issuer'>, accessToken?: unknown): Promise<Answer> =>
  call(`${issuer}/userinfo`, { headers: bearerOf(accessToken) });

export const discovery = async ({ issuer }: Pick<Instance, 'issuer'>): Promise<Json> =>
  (await call(`${issuer}/.well-known/openid-configuration`)).body;

export const publishedKeys = async ({ issuer }: Pick<Instance, 'issuer'>) =>
  (await call(`${issuer}/.well-known/jwks.json`)).body as { readonly keys: Record<string, string>[] };

/** What a refused request is answered with. */
export const refusal = (error: string, status = 400) => ({ status, body: { error } });
