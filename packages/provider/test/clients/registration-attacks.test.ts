import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { adminClients, refusal, sendJson } from '../call.ts';
import { redirectUri } from '../clients.ts';
import type { Json } from '../login.ts';
import { json, openRemote } from '../remote.ts';

const device = 'urn:ietf:params:oauth:grant-type:device_code';

const remote = beforeTests(() => openRemote());
beforeAll(() => {
  remote.answer = json([]);
});
const instance = startBeforeTests({
  config: {
    oidc: {
      subjectIdentifiers: { supportedTypes: ['public', 'pairwise'], pairwise: { salt: 'a salt of the tests' } },
      dynamicClientRegistration: { enabled: true, maxPerMinute: 600 },
    },
  },
});

const register = (metadata: Json) => sendJson('POST', `${instance.issuer}/oauth2/register`, metadata);
/** A client that an administrator makes, and what it says of itself later. */
const administered = async (metadata: Json) => {
  const { status, body } = await adminClients(instance, 'POST', '', metadata);
  expect(status).toBe(201);
  let bearer = body.registration_access_token;
  return async (change: Json) => {
    const answer = await sendJson('PUT', String(body.registration_client_uri), { ...metadata, ...change }, bearer);
    bearer = answer.body.registration_access_token ?? bearer;
    return answer;
  };
};
const refused = (field: string) => ({
  status: 400,
  body: { error: 'invalid_client_metadata', error_description: expect.stringContaining(`Field ${field} `) },
});

describe('a client that registers itself into the sector of another', () => {
  const pairwise = { subject_type: 'pairwise', token_endpoint_auth_method: 'none' };
  test.each<[string, () => Json]>([
    [
      'by the host in the scheme of a native app, which is its own',
      () => ({ redirect_uris: ['com.evil.app://shop.test/cb'], application_type: 'native' }),
    ],
    [
      'by a redirect URI of the other, which a device needs not',
      () => ({ redirect_uris: ['https://shop.test/cb'], grant_types: ['authorization_code', device] }),
    ],
    ['by keys that it does not have', () => ({ grant_types: [device], jwks_uri: 'https://shop.test/jwks.json' })],
    [
      'by any list that is at the other host',
      () => ({ grant_types: [device], sector_identifier_uri: `${remote.origin}/list.json` }),
    ],
    [
      'by keys of its own beside the host of the other',
      () => ({
        grant_types: [device],
        redirect_uris: ['https://shop.test/cb'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: 'https://evil.test/jwks.json',
      }),
    ],
  ])('does not, %s', async (_how, metadata) => {
    expect(await register({ ...pairwise, ...metadata() })).toMatchObject(refusal('invalid_client_metadata'));
  });

  test('the client joins the sector whose keys it authenticates with', async () => {
    const byKeys = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://shop.test/jwks.json' };
    const { status } = await register({ ...pairwise, ...byKeys, grant_types: [device], redirect_uris: [] });
    expect(status).toBe(201);
  });

  test('does not add the grant type later', async () => {
    const { body } = await register({ ...pairwise, redirect_uris: ['https://shop.test/cb'] });
    const changed = {
      ...pairwise,
      redirect_uris: ['https://shop.test/cb'],
      grant_types: ['authorization_code', device],
    };
    const uri = String(body.registration_client_uri);
    expect(await sendJson('PUT', uri, changed, body.registration_access_token)).toMatchObject(refused('subject_type'));
  });
});

describe('a client that changes itself to more than an administrator has said', () => {
  test.each<[string, Json]>([
    ['acts without a person', { grant_types: ['client_credentials'], scope: 'read', audience: ['https://a.test'] }],
    [
      'asks no person',
      { skip_consent: true, redirect_uris: [redirectUri], scope: 'read', audience: ['https://a.test'] },
    ],
  ])('reaches nothing new when it %s', async (_what, { skip_consent, ...metadata }) => {
    const change = await administered({ ...metadata, skip_consent });
    const own = { skip_consent: undefined };
    expect(await change({ ...own, scope: 'read admin' })).toMatchObject(refused('scope'));
    expect(await change({ ...own, audience: ['https://a.test', 'https://b.test'] })).toMatchObject(refused('audience'));
    expect((await change({ ...own, client_name: 'Another name' })).status).toBe(200);
  });

  test('does not get to know people by their public name', async () => {
    const change = await administered({ redirect_uris: [redirectUri], subject_type: 'pairwise' });
    expect(await change({ subject_type: 'public' })).toMatchObject(refused('subject_type'));
    expect(await change({ subject_type: undefined })).toMatchObject(refused('subject_type'));
    expect((await change({ client_name: 'Another name' })).status).toBe(200);
  });
});

test('what a client registers is no way to ask what is in our network', async () => {
  const answers = await Promise.all(
    ['https://10.0.0.1/', 'https://127.0.0.1:1/', 'http://localhost:22/', 'https://nowhere.invalid/'].map((uri) =>
      register({ redirect_uris: ['https://a.test/cb'], sector_identifier_uri: uri }),
    ),
  );
  expect(new Set(answers.map(({ body }) => body.error_description)).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
});
