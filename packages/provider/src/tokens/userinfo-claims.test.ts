import { expect, it } from 'vitest';
import type { ClientRecord } from '../clients/client-record.ts';
import { createUserinfoClaims, type UserinfoParts } from './userinfo-claims.ts';

const issuer = 'https://op.example';
const parts: UserinfoParts = {
  client: { id: 'app', metadata: {} } as ClientRecord,
  accountId: 'alice',
  grant: { idToken: { email: 'alice@example.com', sub: 'mallory', iss: 'x' }, authTime: 900, amr: ['pwd'] },
  iat: 1000,
};

const claimsWith = (userinfo: 'standard' | 'hydra') =>
  createUserinfoClaims({
    options: { issuer, userinfo },
    subjects: { present: (_client, subject, forced) => forced ?? subject },
  });

it('has the subject and the claims of the consent app, without reserved names', () => {
  expect(claimsWith('standard')(parts)).toEqual({ sub: 'alice', email: 'alice@example.com' });
});

it('has the subject as the client sees it', () => {
  const grant = { ...parts.grant, forcedSubject: 'forced' };
  expect(claimsWith('standard')({ ...parts, grant }).sub).toBe('forced');
});

it('repeats the claims of the login like Hydra, and leaves out those that the login has not', () => {
  expect(JSON.parse(JSON.stringify(claimsWith('hydra')(parts)))).toEqual({
    email: 'alice@example.com',
    sub: 'alice',
    iss: issuer,
    aud: ['app'],
    iat: 1000,
    auth_time: 900,
    amr: ['pwd'],
  });
});
