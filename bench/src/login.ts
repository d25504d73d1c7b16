import { createHash, randomBytes } from 'node:crypto';

export interface Target {
  readonly publicUrl: string;
  readonly adminUrl: string;
}

const redirectUri = 'https://app.test/callback';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

const expectStatus = async (response: Response, ...expected: readonly number[]): Promise<Response> => {
  if (expected.includes(response.status)) return response;
  throw new Error(`${response.status} for ${new URL(response.url).pathname}: ${(await response.text()).slice(0, 300)}`);
};

/** Registers a public client; answers with its id. */
export const registerClient = async ({ adminUrl }: Target): Promise<string> => {
  const body = JSON.stringify({
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    scope: 'openid offline_access',
  });
  const response = await expectStatus(await fetch(`${adminUrl}/admin/clients`, { method: 'POST', body }), 201);
  return ((await response.json()) as { client_id: string }).client_id;
};

/** Somebody's browser: follows no redirect by itself, and keeps cookies. */
const createPerson = () => {
  const cookies = new Map<string, string>();
  return async (url: string): Promise<URL> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    await response.arrayBuffer();
    await expectStatus(response, 302, 303);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return new URL(response.headers.get('location') ?? '');
  };
};

const accept = async ({ adminUrl }: Target, what: 'login' | 'consent', at: URL, body: unknown): Promise<string> => {
  const url = `${adminUrl}/admin/oauth2/auth/requests/${what}/accept${at.search}`;
  const response = await expectStatus(await fetch(url, { method: 'PUT', body: JSON.stringify(body) }), 200);
  return ((await response.json()) as { redirect_to: string }).redirect_to;
};

/** A first login, from the authorization request to the tokens. Throws for any answer but the right one. */
export const login = async (target: Target, clientId: string): Promise<void> => {
  const visit = createPerson();
  const request = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid offline_access',
    redirect_uri: redirectUri,
    state: randomBytes(16).toString('base64url'),
    nonce: randomBytes(16).toString('base64url'),
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const toLogin = await visit(`${target.publicUrl}/oauth2/auth?${request}`);
  const toConsent = await visit(await accept(target, 'login', toLogin, { subject: randomBytes(8).toString('hex') }));
  const granted = { grant_scope: ['openid', 'offline_access'] };
  const back = await visit(await accept(target, 'consent', toConsent, granted));
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: clientId,
  });
  const response = await fetch(`${target.publicUrl}/oauth2/token`, { method: 'POST', body });
  const tokens = (await (await expectStatus(response, 200)).json()) as { refresh_token?: string };
  if (tokens.refresh_token === undefined) throw new Error('no refresh token was issued');
};
