import { hash } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { openAccounts } from './accounts.ts';
import { convertUser } from './better-auth.ts';
import { convertRealm, type Realm } from './keycloak.ts';

const { carnet, openUsers, signIn, importAll } = openAccounts();

/** The hash and salt are those of a published request to Keycloak 9, for the user admin with the password admin. */
const pbkdf2 = {
  type: 'password',
  secretData: '{"value":"1u7BLvfSPxQFpwc5jpGSA+88EGl9pZYKhaZ8YPIu9N4=","salt":"x/bm4Y3DcuV9eU97ervkPA=="}',
  credentialData: '{"hashIterations":27500,"algorithm":"pbkdf2-sha256"}',
};

/** A hash with the parameters of Keycloak 25 and later, in its format. */
const argon2 = async (password: string) => {
  const [salt = '', value = ''] = (await hash(password, { memoryCost: 7168, timeCost: 5, parallelism: 1 }))
    .split('$')
    .slice(-2);
  const padded = (text: string): string => Buffer.from(text, 'base64').toString('base64');
  const additionalParameters = {
    hashLength: ['32'],
    memory: ['7168'],
    type: ['id'],
    version: ['1.3'],
    parallelism: ['1'],
  };
  return {
    type: 'password',
    secretData: JSON.stringify({ value: padded(value), salt: padded(salt), additionalParameters: {} }),
    credentialData: JSON.stringify({ hashIterations: 5, algorithm: 'argon2', additionalParameters }),
  };
};

const realm = async (): Promise<Realm> => ({
  clients: [
    { clientId: 'account' },
    { clientId: 'wiki', protocol: 'saml' },
    {
      clientId: 'shop',
      name: 'The shop',
      secret: 'a-secret-of-the-shop',
      protocol: 'openid-connect',
      redirectUris: ['https://shop.example.com/callback', 'https://shop.example.com/*'],
      webOrigins: ['+'],
      attributes: { 'post.logout.redirect.uris': 'https://shop.example.com/##https://shop.example.com/bye' },
      defaultClientScopes: ['profile', 'email'],
    },
    { clientId: 'app', publicClient: true, redirectUris: ['com.example.app:/callback'] },
  ],
  users: [
    { id: '1b671a64-40d5-491e-99b0-da01ff1f3341', username: 'admin', enabled: true, credentials: [pbkdf2] },
    {
      id: '2c671a64-40d5-491e-99b0-da01ff1f3342',
      username: 'alice',
      email: 'alice@example.com',
      firstName: 'Alice',
      lastName: 'Archer',
      credentials: [await argon2('correct horse battery'), { type: 'otp' }],
    },
    { username: 'service-account-shop', serviceAccountClientId: 'shop' },
  ],
});

test('users of Keycloak keep their subject and sign in with their passwords', async () => {
  const { users } = convertRealm(await realm());
  expect(await importAll(users)).toEqual({ imported: 2, problems: [] });
  expect(await signIn('admin', 'admin')).toBe('1b671a64-40d5-491e-99b0-da01ff1f3341');
  expect(await signIn('alice@example.com', 'correct horse battery')).toBe('2c671a64-40d5-491e-99b0-da01ff1f3342');
  expect(await signIn('admin', 'Admin')).toBe('refused');
});

test('clients of Keycloak are registered, and each part that is left out is reported', async () => {
  const { clients, problems } = convertRealm(await realm());
  for (const client of clients) await carnet().clients.create(client);
  expect(await carnet().clients.get('shop')).toMatchObject({
    redirect_uris: ['https://shop.example.com/callback'],
    post_logout_redirect_uris: ['https://shop.example.com/', 'https://shop.example.com/bye'],
    allowed_cors_origins: ['https://shop.example.com'],
    scope: 'openid offline_access profile email',
  });
  expect(await carnet().clients.get('app')).toMatchObject({ token_endpoint_auth_method: 'none' });
  expect(problems).toEqual([
    'client wiki: SAML',
    'client shop: redirect URI https://shop.example.com/*: register the exact URI',
    'user alice: the second factor "otp"',
  ]);
});

test('groups, roles and attributes of Keycloak arrive as claims, those of groups and composite roles among them', async () => {
  const user = {
    id: '3c671a64-40d5-491e-99b0-da01ff1f3343',
    username: 'grace',
    attributes: { department: ['navy'], languages: ['COBOL', 'FLOW-MATIC'], email: ['other@example.com'] },
    groups: ['/staff/leads'],
    realmRoles: ['editor', 'default-roles-shop', 'offline_access'],
    clientRoles: { shop: ['manager'], account: ['view-profile'] },
    federatedIdentities: [{ identityProvider: 'github' }],
    requiredActions: ['UPDATE_PASSWORD'],
  };
  const { users, clients, problems } = convertRealm({
    clients: [{ clientId: 'shop', defaultClientScopes: ['email'] }],
    users: [user, { username: 'plain' }],
    groups: [
      {
        path: '/staff',
        realmRoles: ['employee'],
        subGroups: [{ path: '/staff/leads', clientRoles: { shop: ['refunds'] } }],
      },
    ],
    roles: {
      realm: [{ name: 'editor', composites: { realm: ['author'], client: { wiki: ['write'] } } }, { name: 'author' }],
      client: { shop: [{ name: 'manager', composites: { realm: ['editor'] } }] },
    },
  });
  const access = { shop: { roles: ['manager', 'refunds'] }, wiki: { roles: ['write'] } };
  expect(users[0]).toMatchObject({
    claims: {
      department: 'navy',
      languages: ['COBOL', 'FLOW-MATIC'],
      groups: ['/staff/leads'],
      roles: ['editor', 'author', 'employee'],
      resource_access: access,
    },
  });
  expect(users[1]?.claims).toEqual({});
  expect(clients[0]?.scope).toBe('openid offline_access email groups roles');
  expect(problems).toEqual([
    'user grace: sign-in by github',
    'user grace: the required action UPDATE_PASSWORD',
    'user grace: the attribute email',
  ]);
  expect(await importAll(users)).toEqual({ imported: 2, problems: [] });
  const opened = await openUsers();
  expect((await opened.find('grace'))?.claims).toMatchObject({
    roles: ['editor', 'author', 'employee'],
    resource_access: access,
  });
  await opened.close();
});

test('users of better-auth sign in with their passwords', async () => {
  // Computed by `hashPassword` of better-auth 1.7.25.
  const password =
    'a55315264d537a737bde4f66605d72b4:31f805ce6a25549a64d0bc50b630b9c6cda37367eeb64a5b08313b0d6dfb9c58198bd50cc07936bdf8c2f7a9d2522022f2082096030c89a724f3a42610c2566a';
  const bob = convertUser({ id: 'kbPnq8TvHJ3nDyCk', email: 'bob@example.com', emailVerified: true, password });
  expect(await importAll([bob])).toEqual({ imported: 1, problems: [] });
  expect(await signIn('bob@example.com', 'correct horse battery')).toBe('kbPnq8TvHJ3nDyCk');
  expect(await signIn('bob@example.com', 'correct horse')).toBe('refused');
});
