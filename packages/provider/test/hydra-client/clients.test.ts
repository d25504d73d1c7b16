import type { OAuth2Client, OAuth2ClientTokenLifespans } from '@ory/hydra-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { redirectUri } from '../clients.ts';
import { credentialsFor } from '../login.ts';
import { createSdk, refusal, unknownMembers } from './sdk.ts';

const lifespans = [
  'authorization_code_grant_access_token_lifespan',
  'authorization_code_grant_id_token_lifespan',
  'authorization_code_grant_refresh_token_lifespan',
  'client_credentials_grant_access_token_lifespan',
  'device_authorization_grant_access_token_lifespan',
  'device_authorization_grant_id_token_lifespan',
  'device_authorization_grant_refresh_token_lifespan',
  'implicit_grant_access_token_lifespan',
  'implicit_grant_id_token_lifespan',
  'jwt_bearer_grant_access_token_lifespan',
  'refresh_token_grant_access_token_lifespan',
  'refresh_token_grant_id_token_lifespan',
  'refresh_token_grant_refresh_token_lifespan',
] as const satisfies readonly (keyof OAuth2ClientTokenLifespans)[];

/** Every field of a client that Hydra knows and that is not the server's own to set. */
const everything: OAuth2Client = {
  client_id: 'everything',
  client_name: 'Everything',
  client_secret: 'a-secret-of-its-own',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  response_types: ['code'],
  scope: 'openid offline_access email',
  audience: ['https://api.test'],
  owner: 'team-a',
  policy_uri: 'https://app.test/policy',
  allowed_cors_origins: ['https://app.test'],
  tos_uri: 'https://app.test/tos',
  client_uri: 'https://app.test',
  logo_uri: 'https://app.test/logo.png',
  contacts: ['admin@app.test'],
  subject_type: 'public',
  jwks: {} as never,
  token_endpoint_auth_method: 'client_secret_post',
  userinfo_signed_response_alg: 'none',
  metadata: { color: 'green', nested: { deep: [1] } },
  skip_consent: true,
  skip_logout_consent: true,
  access_token_strategy: 'jwt',
  post_logout_redirect_uris: ['https://app.test/goodbye'],
  frontchannel_logout_uri: 'https://app.test/front',
  frontchannel_logout_session_required: true,
  backchannel_logout_uri: 'https://app.test/back',
  backchannel_logout_session_required: true,
  ...Object.fromEntries(lifespans.map((name, index) => [name, `${index + 1}h0m0s`])),
};

/** Where a `Link` header (RFC 8288) leads. */
const linkTo = (header: unknown, rel: string): URLSearchParams | undefined => {
  const target = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(header))?.[1];
  return target === undefined ? undefined : new URL(target, 'http://admin.test').searchParams;
};

describe('@ory/hydra-client as an administrator', () => {
  const instance = startBeforeTests();
  let sdk: ReturnType<typeof createSdk>;

  beforeAll(async () => {
    sdk = createSdk(instance);
  });

  const create = async (oAuth2Client: OAuth2Client) => (await sdk.oauth2.createOAuth2Client({ oAuth2Client })).data;
  const get = async (id: string) => (await sdk.oauth2.getOAuth2Client({ id })).data;
  const credentials = (id: string, secret: string | undefined) => credentialsFor(instance, { id, secret });

  test('creates a client with every field, shows its secret once, and where it is', async () => {
    const { status, data, headers } = await sdk.oauth2.createOAuth2Client({ oAuth2Client: everything });
    expect([status, headers.location]).toEqual([201, '/admin/clients/everything']);
    expect(unknownMembers('OAuth2Client', data)).toEqual([]);
    const ours = {
      client_secret_expires_at: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: data.created_at,
    };
    expect(data).toEqual({
      ...everything,
      ...ours,
      registration_access_token: expect.any(String),
      registration_client_uri: `${instance.issuer}/oauth2/register/everything`,
    });
    const { client_secret, ...public_ } = everything;
    expect(await get('everything')).toEqual({ ...public_, ...ours });
    expect(client_secret).toBe('a-secret-of-its-own');
  });

  test('makes up id and secret where none are given, and the client can use them', async () => {
    const made = await create({
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: 'client_secret_basic',
    });
    expect(made.client_id).toMatch(/^[0-9a-f]{8}-/);
    expect(made.client_secret).toHaveLength(26);
    expect((await credentials(String(made.client_id), made.client_secret)).status).toBe(200);
  });

  test.each([
    ['a taken id', { client_id: 'everything' }, 409],
    ['a short secret', { client_secret: 'short' }, 400],
    ['a redirect with a fragment', { redirect_uris: ['https://app.test/#top'] }, 400],
    ['both jwks and jwks_uri', { jwks: { keys: [] }, jwks_uri: 'https://app.test/jwks' }, 400],
  ])('the request is refused: %s', async (_what, fields, expected) => {
    const { status, data } = await refusal(create(fields as unknown as OAuth2Client));
    expect([status, Object.keys(data).toSorted()]).toEqual([expected, ['error', 'error_description']]);
    if (expected === 400) expect(data.error).toBe('invalid_client_metadata');
  });

  test('sets a client: all of it anew but its secret', async () => {
    const before = await create({
      client_id: 'set',
      client_name: 'Before',
      owner: 'team-b',
      redirect_uris: [redirectUri],
    });
    const grant_types = ['client_credentials'];
    const set = async (oAuth2Client: OAuth2Client) =>
      (await sdk.oauth2.setOAuth2Client({ id: 'set', oAuth2Client })).data;
    const data = await set({ client_id: 'set', client_name: 'After', grant_types });
    expect(data).toMatchObject({ client_id: 'set', client_name: 'After', owner: '', created_at: before.created_at });
    expect(await get('set')).toMatchObject({ client_name: 'After', owner: '', redirect_uris: [] });
    expect((await credentials('set', before.client_secret)).status).toBe(200);
    await set({ client_secret: 'another-secret', grant_types });
    expect((await credentials('set', before.client_secret)).status).toBe(401);
    expect((await credentials('set', 'another-secret')).status).toBe(200);
  });

  test('patches a client, and nothing that is not to be patched', async () => {
    const grant_types = ['client_credentials'];
    const { client_secret } = await create({ client_id: 'patched', owner: 'team-c', grant_types });
    const patch = (...jsonPatch: { op: string; path: string; value: unknown }[]) =>
      sdk.oauth2.patchOAuth2Client({ id: 'patched', jsonPatch: jsonPatch as never });
    const { data } = await patch(
      { op: 'replace', path: '/client_name', value: 'Patched' },
      { op: 'add', path: '/redirect_uris/-', value: redirectUri },
      { op: 'test', path: '/owner', value: 'team-c' },
    );
    expect(data).toMatchObject({ client_name: 'Patched', redirect_uris: [redirectUri], owner: 'team-c' });
    expect((await credentials('patched', client_secret)).status).toBe(200);
    for (const path of ['/client_id', '/id', '/created_at', '/rotated_secrets'])
      expect((await refusal(patch({ op: 'replace', path, value: 'x' }))).status).toBe(400);
    expect(await get('patched')).toMatchObject({ client_id: 'patched', created_at: data.created_at });
  });

  test('sets the lifespans of a client; those it does not name are unset', async () => {
    await create({ client_id: 'timed', authorization_code_grant_id_token_lifespan: '1h' });
    const { data } = await sdk.oauth2.setOAuth2ClientLifespans({
      id: 'timed',
      oAuth2ClientTokenLifespans: { client_credentials_grant_access_token_lifespan: '90s' },
    });
    expect(data.client_credentials_grant_access_token_lifespan).toBe('1m30s');
    const shown = await get('timed');
    const unset = lifespans.filter((name) => shown[name] === null);
    expect(unset).toEqual(lifespans.filter((name) => name !== 'client_credentials_grant_access_token_lifespan'));
  });

  test('deletes a client, which then gets nothing', async () => {
    const { client_secret } = await create({ client_id: 'deleted', grant_types: ['client_credentials'] });
    expect((await credentials('deleted', client_secret)).status).toBe(200);
    expect((await sdk.oauth2.deleteOAuth2Client({ id: 'deleted' })).status).toBe(204);
    expect((await credentials('deleted', client_secret)).status).toBe(401);
    expect((await refusal(sdk.oauth2.getOAuth2Client({ id: 'deleted' }))).status).toBe(404);
  });

  test('lists clients page by page along the Link header, each once, and by owner and name', async () => {
    const names = ['listed-0', 'listed-1', 'listed-2'];
    for (const client_name of names) await create({ client_name, owner: 'lister' });
    const page = async (pageToken?: string) => {
      const { data, headers } = await sdk.oauth2.listOAuth2Clients({ pageSize: 2, pageToken, owner: 'lister' });
      expect(linkTo(headers.link, 'first')?.get('page_size')).toBe('2');
      for (const client of data) expect(unknownMembers('OAuth2Client', client)).toEqual([]);
      return { found: data.map(({ client_name }) => client_name), next: linkTo(headers.link, 'next') };
    };
    const first = await page();
    const second = await page(first.next?.get('page_token') ?? '');
    expect([first.found.length, second.next]).toEqual([2, undefined]);
    expect([...first.found, ...second.found].toSorted()).toEqual(names);
    const { data } = await sdk.oauth2.listOAuth2Clients({ clientName: 'listed-2' });
    expect(data.map(({ client_name }) => client_name)).toEqual(['listed-2']);
    expect((await refusal(sdk.oauth2.listOAuth2Clients({ pageToken: 'made-up' }))).status).toBe(400);
  });
});
