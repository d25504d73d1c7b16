import { postForm, sendJson } from '../call.ts';
import type { Endpoints, Json } from '../login.ts';
import { redirectUri } from './start.ts';

export interface Client extends Json {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uris?: readonly string[];
  readonly scope: string;
}

/** Calls the admin API as Hydra's tests do: without the prefix, and with JSON under no content type. */
export const admin = async (at: Pick<Endpoints, 'admin'>, method: string, path: string, sent?: unknown) => {
  const { status, body } = await sendJson(method, at.admin + path, sent);
  // biome-ignore lint/suspicious/noExplicitAny: what the API answers is what these tests look into
  return { status, body: body as any };
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
export const post = (url: string, client: Client, form: Readonly<Record<string, string>>) => {
  const { client_id, client_secret, token_endpoint_auth_method: method } = client;
  const isInBody = method === 'client_secret_post' || method === 'none';
  const secret: Readonly<Record<string, string>> = client_secret === undefined ? {} : { client_secret };
  const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  return isInBody
    ? postForm(url, { client_id, ...secret, ...form })
    : postForm(url, form, { authorization: `Basic ${basic}` });
};
