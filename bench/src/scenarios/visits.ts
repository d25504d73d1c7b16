import { request } from 'undici';
import type { Target } from '../targets/target.ts';
import { publicClient, redirectUri, registerClient } from '../users/register-client.ts';
import type { RequestWork, Scenario } from './scenario.ts';

/** The redirect and the cookie that a browser receives. */
interface Visit {
  readonly location: URL;
  readonly cookie: string;
}

const visit = async (url: string, cookie = ''): Promise<Visit> => {
  const { headers, body } = await request(url, { headers: { cookie } });
  await body.dump();
  return { location: new URL(String(headers.location)), cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '' };
};

const accept = async ({ adminUrl }: Target, what: 'login' | 'consent', { location }: Visit, decision: object) => {
  const { body } = await request(`${adminUrl}/admin/oauth2/auth/requests/${what}/accept${location.search}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(decision),
  });
  return ((await body.json()) as { redirect_to: string }).redirect_to;
};

const begin = async (target: Target): Promise<string> => {
  const { id } = await registerClient(target, publicClient);
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
  return `${target.publicUrl}/oauth2/auth?${query}`;
};

/** A visit writes nothing, so the same one is repeated. */
const visiting = (name: string, title: string, work: (target: Target) => Promise<RequestWork>): Scenario => ({
  name,
  title,
  amount: 10_000,
  connections: 100,
  prepare: work,
});

const leadsTo = (member: string) => (body: string) => body.includes(`${member}=`);

export const visitWithRequest = visiting('visit-request', 'Authorization endpoint: the request', async (target) => ({
  kind: 'requests',
  url: await begin(target),
  status: 302,
  isRight: leadsTo('login_challenge'),
}));

export const visitFromLogin = visiting(
  'visit-login',
  'Authorization endpoint: back from the login page',
  async (target) => {
    const first = await visit(await begin(target));
    const url = await accept(target, 'login', first, { subject: 'alice' });
    return {
      kind: 'requests',
      url,
      headers: { cookie: first.cookie },
      status: 302,
      isRight: leadsTo('consent_challenge'),
    };
  },
);

export const visitFromConsent = visiting(
  'visit-consent',
  'Authorization endpoint: back from the consent page',
  async (target) => {
    const first = await visit(await begin(target));
    const second = await visit(await accept(target, 'login', first, { subject: 'alice' }), first.cookie);
    const url = await accept(target, 'consent', second, { grant_scope: ['openid', 'offline_access'] });
    return { kind: 'requests', url, headers: { cookie: second.cookie }, status: 303, isRight: leadsTo('code') };
  },
);
