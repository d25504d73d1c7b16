import { createHash, pbkdf2Sync } from 'node:crypto';
import { type Algorithm, hash } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { openAccounts } from './accounts.ts';
import * as auth0 from './auth0.ts';
import * as cognito from './cognito.ts';
import * as firebase from './firebase.ts';
import * as logto from './logto.ts';

const { signIn, importAll } = openAccounts();

test('users of Auth0 keep subject, password, roles and groups', async () => {
  const alice = {
    user_id: 'auth0|5dea9f9c82dd7c0e76e4ec93',
    email: 'alice@auth0.example',
    email_verified: true,
    name: 'Alice Archer',
    roles: ['admin'],
    app_metadata: { roles: ['editor'], authorization: { groups: ['staff'] }, plan: 'gold' },
    user_metadata: { color: 'blue' },
    multifactor: ['guardian'],
  };
  const custom = { user_id: 'auth0|euclid', email: 'euclid@auth0.example', blocked: true };
  const social = { user_id: 'google-oauth2|115015401343387192604', email: 'social@auth0.example' };
  const lost = { user_id: 'auth0|lost', email: 'lost@auth0.example' };
  const hashes = [
    // The hash is from libxcrypt.
    {
      _id: { $oid: '5dea9f9c82dd7c0e76e4ec93' },
      passwordHash: '$2b$05$CCCCCCCCCCCCCCCCCCCCC.HG1oUozq0RtL5jOsWqPbXDMMoWVVaXK',
    },
    {
      _id: { $oid: '5dea9f9c82dd7c0e76e4ec94' },
      alt_id: 'euclid',
      passwordHash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    },
  ];
  const { users, problems } = auth0.convertUsers([alice, custom, social, lost], hashes);
  expect(users[0]).toMatchObject({ claims: { name: 'Alice Archer', roles: ['admin', 'editor'], groups: ['staff'] } });
  expect(problems).toEqual([
    'user auth0|5dea9f9c82dd7c0e76e4ec93: the second factor "guardian"',
    'user auth0|5dea9f9c82dd7c0e76e4ec93: app_metadata.plan',
    'user auth0|5dea9f9c82dd7c0e76e4ec93: user_metadata.color',
    'user google-oauth2|115015401343387192604: sign-in by another provider',
    'user auth0|lost: the password, of which there is no hash',
  ]);
  expect(await importAll(users)).toEqual({ imported: 4, problems: [] });
  expect(await signIn('alice@auth0.example', 'corréct horse')).toBe('auth0|5dea9f9c82dd7c0e76e4ec93');
  expect(await signIn('alice@auth0.example', 'correct horse')).toBe('refused');
  expect(await signIn('euclid@auth0.example', 'U*U')).toBe('refused');
});

test('users of Cognito keep subject, groups and attributes, and have no password', async () => {
  const attributes = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([Name, Value]) => ({ Name, Value }));
  const sub = 'd4e8f498-5011-7011-8f5a-6b2c7d8e9f00';
  const users = {
    Users: [
      {
        Username: sub,
        Attributes: attributes({
          sub,
          email: 'ada@cognito.example',
          email_verified: 'true',
          preferred_username: 'ada',
          given_name: 'Ada',
          phone_number: '+4912345678',
          phone_number_verified: 'false',
          'custom:department': 'analysis',
        }),
        Enabled: true,
        UserStatus: 'CONFIRMED',
      },
      {
        Username: 'google_1',
        Attributes: attributes({ sub: 'b1', email: 'b@cognito.example' }),
        UserStatus: 'EXTERNAL_PROVIDER',
      },
    ],
  };
  const converted = cognito.convertUsers(users, { admins: { Users: [{ Username: sub }] }, others: { Users: [] } });
  expect(converted.users[0]).toEqual({
    id: sub,
    email: 'ada@cognito.example',
    email_verified: true,
    username: 'ada',
    state: 'active',
    claims: {
      given_name: 'Ada',
      phone_number: '+4912345678',
      phone_number_verified: false,
      department: 'analysis',
      groups: ['admins'],
    },
  });
  expect(converted.problems).toEqual([
    'the passwords of all users: Cognito returns no hashes',
    'user b1: sign-in by another provider',
  ]);
  expect(await importAll(converted.users)).toEqual({ imported: 2, problems: [] });
  expect(await signIn('ada', 'any password')).toBe('refused');
});

test('users of Firebase keep subject, password and custom claims', async () => {
  // The parameters, salt and hash are those of github.com/firebase/scrypt; the hash is in the alphabet of the Admin SDK.
  const config = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}`;
  const user = {
    localId: 'kbPnq8TvHJ3nDyCkQ1w2E3r4T5y6',
    email: 'user1@firebase.example',
    emailVerified: true,
    passwordHash: 'lSrfV15cpx95_sZS2W9c9Kp6i_LVgQNDNC_qzrCnh1SAyZvqmZqAjTdn3aoItz-VHjoZilo78198JAdRuid5lQ==',
    salt: '42xEC-ixf3L2lw==',
    displayName: 'User One',
    customAttributes: '{"roles":["admin"],"tier":3,"sub":"forged"}',
    providerUserInfo: [{ providerId: 'password' }, { providerId: 'google.com' }],
  };
  const { users, problems } = firebase.convertUsers([user, { localId: 'anonymous' }], config);
  expect(users).toMatchObject([{ claims: { name: 'User One', roles: ['admin'], tier: 3 } }]);
  expect(problems).toEqual([
    'user anonymous: no email address, so no login name',
    'user kbPnq8TvHJ3nDyCkQ1w2E3r4T5y6: sign-in by google.com',
    'user kbPnq8TvHJ3nDyCkQ1w2E3r4T5y6: the custom claim sub',
  ]);
  expect(await importAll(users)).toEqual({ imported: 1, problems: [] });
  expect(await signIn('user1@firebase.example', 'user1password')).toBe('kbPnq8TvHJ3nDyCkQ1w2E3r4T5y6');
  expect(await signIn('user1@firebase.example', 'User1password')).toBe('refused');
  expect(() => firebase.parseHashConfig('nothing')).toThrow('no password hash parameters');
});

test('users of Logto keep subject, roles and custom data, and sign in with argon2 and PBKDF2', async () => {
  const problems: string[] = [];
  const convert = (user: logto.LogtoUser) => logto.convertUser(user, (problem) => problems.push(problem));
  const key = pbkdf2Sync('correct horse', 'mySalt', 1_000, 32, 'sha512').toString('hex');
  const users = [
    convert({
      id: 'fz2kq8a1b9cd',
      username: 'grace',
      primary_email: 'grace@logto.example',
      primary_phone: '15551234567',
      // As many iterations as Logto uses.
      password_encrypted: await hash('correct horse', {
        // argon2i
        algorithm: 1 as Algorithm,
        memoryCost: 64,
        timeCost: 256,
        parallelism: 1,
      }),
      password_encryption_method: 'Argon2i',
      name: 'Grace Hopper',
      profile: { givenName: 'Grace', address: { postalCode: '22201' }, preferredUsername: 'g' },
      custom_data: { rank: 'admiral' },
      identities: { github: {} },
      mfa_verifications: [{ type: 'Totp' }],
      roles: ['admin'],
    }),
    convert({
      id: 'legacy000001',
      primary_email: 'old@logto.example',
      password_encrypted: JSON.stringify(['pbkdf2', ['mySalt', '1000', '32', 'sha512', '@'], key]),
      password_encryption_method: 'Legacy',
    }),
    convert({
      id: 'digest000001',
      primary_email: 'digest@logto.example',
      password_encrypted: createHash('sha256').update('correct horse').digest('hex'),
      password_encryption_method: 'SHA256',
      is_suspended: true,
    }),
  ];
  expect(users[0]?.claims).toMatchObject({
    name: 'Grace Hopper',
    given_name: 'Grace',
    address: { postal_code: '22201' },
    phone_number: '+15551234567',
    roles: ['admin'],
    custom_data: { rank: 'admiral' },
  });
  expect(problems).toEqual([
    'user fz2kq8a1b9cd: sign-in by github',
    'user fz2kq8a1b9cd: the second factor "Totp"',
    'user digest000001: the password hash of the method SHA256',
  ]);
  expect(await importAll(users)).toEqual({ imported: 3, problems: [] });
  expect(await signIn('grace', 'correct horse')).toBe('fz2kq8a1b9cd');
  expect(await signIn('old@logto.example', 'correct horse')).toBe('legacy000001');
  expect(await signIn('old@logto.example', 'correct horsf')).toBe('refused');
});
