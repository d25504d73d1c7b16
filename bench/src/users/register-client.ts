import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import type { Endpoints } from '../targets/target.ts';

export const redirectUri = 'https://app.test/callback';

export interface Client {
  readonly id: string;
  readonly secret: string | undefined;
  /** The value of the header Authorization (RFC 6749, section 2.3.1). */
  readonly authorization: string | undefined;
}

/** The value of the header Authorization of a client (RFC 6749, section 2.3.1). */
export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

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
  return { id, secret, authorization: secret && basic(id, secret) };
};

/** So many at once: hashing their secrets keeps two busy. */
const atOnce = 8;

/** Registers so many clients, each with a secret of its own where there is one. */
export const registerClients = async (
  endpoints: Pick<Endpoints, 'adminUrl'>,
  count: number,
  metadata: () => object,
): Promise<readonly Client[]> => {
  const clients: Client[] = [];
  while (clients.length < count) {
    const some = Array.from({ length: Math.min(atOnce, count - clients.length) }, metadata);
    clients.push(...(await Promise.all(some.map((each) => registerClient(endpoints, each)))));
  }
  return clients;
};

export const publicClient = { token_endpoint_auth_method: 'none' };
/** A chosen secret is stored as a bcrypt hash. A generated one is random enough for SHA-256. */
export const chosenSecret = (): { readonly client_secret: string } => ({
  client_secret: randomBytes(18).toString('base64url'),
});
export const machineClient = {
  redirect_uris: [],
  grant_types: ['client_credentials'],
  response_types: [],
  scope: 'read write',
};
