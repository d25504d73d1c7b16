import { request } from 'undici';
import type { Endpoints } from '../targets/target.ts';

export const redirectUri = 'https://app.test/callback';

export interface Client {
  readonly id: string;
  readonly secret: string | undefined;
  /** The value of the header Authorization (RFC 6749, section 2.3.1). */
  readonly authorization: string | undefined;
}

/** Registers a client with the metadata given over those of a web application. */
export const registerClient = async (
  { adminUrl }: Pick<Endpoints, 'adminUrl'>,
  metadata: object = {},
): Promise<Client> => {
  const response = await request(`${adminUrl}/admin/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid offline_access',
      ...metadata,
    }),
  });
  const body = (await response.body.json()) as { client_id: string; client_secret?: string };
  if (response.statusCode !== 201)
    throw new Error(`no client was registered: ${response.statusCode} ${JSON.stringify(body)}`);
  const { client_id: id, client_secret: secret } = body;
  const authorization =
    secret && `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
  return { id, secret, authorization };
};

export const publicClient = { token_endpoint_auth_method: 'none' };
export const machineClient = {
  redirect_uris: [],
  grant_types: ['client_credentials'],
  response_types: [],
  scope: 'read write',
};
