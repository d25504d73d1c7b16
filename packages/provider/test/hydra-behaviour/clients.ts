import type { Endpoints, Json } from '../login.ts';
import { redirectUri } from './start.ts';

export interface Client extends Json {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uris?: readonly string[];
  readonly scope: string;
}

/** Calls the admin API as Hydra's tests do: without the prefix, and with JSON under no content type. */
export const admin = async (at: Pick<Endpoints, 'admin'>, method: string, path: string, body?: unknown) => {
  const response = await fetch(at.admin + path, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: what the API answers is what these tests look into
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as any };
};

export const createClient = async (at: Pick<Endpoints, 'admin'>, metadata: Readonly<Json>): Promise<Client> => {
  const { status, body } = await admin(at, 'POST', '/clients', metadata);
  if (status !== 201) throw new Error(`the client was refused: ${status} ${JSON.stringify(body)}`);
  return body;
};

/** A client of the authorization code grant. */
export const webClient = (metadata: Readonly<Json> = {}): Json => ({
  client_secret: 'a-secret-of-the-client',
  scope: 'offline_access openid',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  ...metadata,
});

/** A form that the client sends, with its secret as it is registered for. */
export const post = async (url: string, client: Client, form: Readonly<Record<string, string>>) => {
  const { client_id, client_secret, token_endpoint_auth_method: method } = client;
  const isInBody = method === 'client_secret_post' || method === 'none';
  const secret = client_secret === undefined ? {} : { client_secret };
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: isInBody ? {} : { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ ...(isInBody ? { client_id, ...secret } : {}), ...form } as Record<string, string>),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Json };
};

export const userinfo = async ({ issuer }: Pick<Endpoints, 'issuer'>, accessToken: unknown) => {
  const response = await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
};
