import { openLogins } from '../users/logins.ts';
import { publicClient, registerClient } from '../users/register-client.ts';
import type { Scenario } from './scenario.ts';

/** A decision is not stored, so the same challenge is accepted again and again. */
const accepting = (what: 'login' | 'consent', body: object): Scenario => ({
  name: `accept-${what}`,
  title: `Accepting a ${what} request`,
  amount: 10_000,
  connections: 100,
  async prepare(target) {
    const logins = openLogins(target, await registerClient(target, publicClient), 1);
    const { [what]: query } = await logins.abandon();
    logins.close();
    return {
      kind: 'requests',
      url: `${target.adminUrl}/admin/oauth2/auth/requests/${what}/accept${query}`,
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      bodies: [JSON.stringify(body)],
      isRight: (answer) => answer.includes(`${what}_verifier=`),
    };
  },
});

export const acceptLogin = accepting('login', { subject: 'alice' });
export const acceptConsent = accepting('consent', { grant_scope: ['openid', 'offline_access'] });
