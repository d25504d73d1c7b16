import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { allowInsecureRequests, ClientSecretBasic, type Configuration, discovery } from 'openid-client';

export const scope = 'openid offline_access profile email';

export interface ProviderOptions {
  readonly issuer: URL;
  readonly adminUrl: URL;
  readonly adminToken: string | undefined;
  /** Where this application is. */
  readonly baseUrl: URL;
}

class Refused extends Error {}

const register = async ({ adminUrl, adminToken }: ProviderOptions, client: { client_id: string }): Promise<void> => {
  const clients = `${adminUrl.href.replace(/\/$/, '')}/admin/clients`;
  const url = `${clients}/${client.client_id}`;
  const authorization: Record<string, string> = adminToken ? { authorization: `Bearer ${adminToken}` } : {};
  const found = await fetch(url, { headers: authorization });
  await found.body?.cancel();
  const response = await fetch(found.ok ? url : clients, {
    method: found.ok ? 'PUT' : 'POST',
    headers: { ...authorization, 'content-type': 'application/json' },
    body: JSON.stringify(client),
  });
  const answer = await response.text();
  if (response.ok) return;
  const message = `The client could not be registered: ${response.status} ${answer}`;
  // What is wrong with the request stays wrong; what is wrong with the server may pass.
  throw response.status < 500 ? new Refused(message) : new Error(message);
};

const untilUp = async <T>(what: string, attempt: () => Promise<T>): Promise<T> => {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (attempts % 20 === 1) console.log(`Waiting for ${what} (${error instanceof Error ? error.message : error})`);
      await sleep(500);
    }
  }
};

/** Registers this application as the client `carnet-demo`, with a secret of its own for each start, and reads the discovery document. */
export const connect = async (options: ProviderOptions): Promise<Configuration> => {
  const client = {
    client_id: 'carnet-demo',
    client_name: 'Carnet demo',
    client_secret: randomBytes(32).toString('base64url'),
    redirect_uris: [new URL('callback', options.baseUrl).href],
    post_logout_redirect_uris: [options.baseUrl.href],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope,
    token_endpoint_auth_method: 'client_secret_basic',
  };
  await untilUp(`the admin API at ${options.adminUrl.href}`, () => register(options, client));
  const { issuer } = options;
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(issuer.hostname);
  return untilUp(`the issuer at ${issuer.href}`, () =>
    discovery(issuer, client.client_id, {}, ClientSecretBasic(client.client_secret), {
      // Plain http stays on this machine.
      execute: isLoopback ? [allowInsecureRequests] : [],
    }),
  );
};
