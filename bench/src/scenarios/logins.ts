import { request } from 'undici';
import { openLogins } from '../people/login.ts';
import { publicClient, redirectUri, registerClient } from '../people/register-client.ts';
import type { Target } from '../targets/target.ts';
import type { Scenario } from './scenario.ts';

const logins = (name: string, title: string, metadata: object): Scenario => ({
  name,
  title,
  amount: 4_000,
  connections: 64,
  async prepare(target) {
    const people = openLogins(target, await registerClient(target, metadata), 64);
    return { kind: 'journeys', run: async () => void (await people.run()) };
  },
});

export const login = logins('login', 'Login, new person, public client', publicClient);
export const loginConfidential = logins('login-confidential', 'Login, new person, bcrypt secret', {});

/** The query of a challenge that a browser has been given. */
const beginLogin = async (target: Target): Promise<string> => {
  const { id } = await registerClient(target, { ...publicClient });
  const query = new URLSearchParams({
    client_id: id,
    response_type: 'code',
    scope: 'openid offline_access',
    redirect_uri: redirectUri,
    state: 'a-state-of-22-letters.',
    nonce: 'a-nonce-of-22-letters.',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const { headers, body } = await request(`${target.publicUrl}/oauth2/auth?${query}`);
  await body.dump();
  return new URL(String(headers.location)).search;
};

/** Nothing of a decision is kept: the same challenge is accepted again and again. */
export const acceptLogin: Scenario = {
  name: 'accept-login',
  title: 'Accepting a login request',
  amount: 10_000,
  connections: 100,
  prepare: async (target) => ({
    kind: 'requests',
    url: `${target.adminUrl}/admin/oauth2/auth/requests/login/accept${await beginLogin(target)}`,
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    bodies: ['{"subject":"somebody"}'],
    isRight: (body) => body.includes('login_verifier='),
  }),
};
