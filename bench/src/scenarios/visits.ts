import { headerOf } from '../users/browser.ts';
import { type Journey, openLogins } from '../users/logins.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import type { RequestWork, Scenario } from './scenario.ts';

/** One request of a login, the same again and again: visits and decisions write nothing. */
const repeating = (
  name: string,
  title: string,
  work: (journey: Journey, adminUrl: string) => RequestWork,
): Scenario => ({
  name,
  title,
  amount: 10_000,
  connections: 100,
  async prepare(target) {
    const logins = openLogins(target, await registerClient(target, publicClient), 1);
    const journey = await logins.before(name);
    logins.close();
    return work(journey, target.adminUrl);
  },
});

const visiting = (name: string, from: string, { status, member }: { status: number; member: string }): Scenario =>
  repeating(name, `Authorization endpoint: ${from}`, ({ page, user }) => ({
    kind: 'requests',
    url: page,
    headers: headerOf(user.cookies),
    status,
    isRight: (body) => body.includes(`${member}=`),
  }));

export const visitWithRequest = visiting('visit-request', 'the request', { status: 302, member: 'login_challenge' });
export const visitFromLogin = visiting('visit-login', 'back from the login page', {
  status: 302,
  member: 'consent_challenge',
});
export const visitFromConsent = visiting('visit-consent', 'back from the consent page', {
  status: 303,
  member: 'code',
});

const accepting = (what: 'login' | 'consent', body: object): Scenario =>
  repeating(`accept-${what}`, `Accepting a ${what} request`, ({ page }, adminUrl) => ({
    kind: 'requests',
    url: `${adminUrl}/admin/oauth2/auth/requests/${what}/accept${new URL(page).search}`,
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    bodies: [JSON.stringify(body)],
    isRight: (answer) => answer.includes(`${what}_verifier=`),
  }));

export const acceptLogin = accepting('login', { subject: 'alice' });
export const acceptConsent = accepting('consent', { grant_scope: ['openid', 'offline_access'] });
