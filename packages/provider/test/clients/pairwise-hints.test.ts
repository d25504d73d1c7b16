import { text } from 'node:stream/consumers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, expect, test } from 'vitest';
import { postForm } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { registerClient } from '../clients.ts';
import { deviceConfig, letIn } from '../device.ts';
import { consentPage, loginPage, start } from '../harness.ts';
import { codeFor, headless, redemptionOf } from '../login.ts';
import { json, openRemote } from '../remote.ts';

const ciba = 'urn:openid:params:grant-type:ciba';
const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code';

const keys = await createClientKeys();
let challenge = '';
let idToken: string;
const app = beforeTests(openRemote);
const instance = beforeTests(() =>
  start({
    config: {
      urls: { ...deviceConfig.urls, login: loginPage, consent: consentPage, backchannelAuthentication: app.origin },
      features: { ...deviceConfig.features, ciba: { enabled: true } },
      oidc: {
        subjectIdentifiers: { supportedTypes: ['public', 'pairwise'], pairwise: { salt: 'a salt of the tests' } },
      },
    },
  }),
);
const client = beforeTests(() =>
  registerClient(instance, 'pairwise', {
    grant_types: ['authorization_code', 'refresh_token', ciba, deviceCode],
    subject_type: 'pairwise',
    sector_identifier_uri: 'https://app.test/sector',
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: `${app.origin}/jwks`,
  }),
);

const post = async (endpoint: string, params: Readonly<Record<string, string>>) => {
  const authentication = await keys.authenticate(client.id, instance.issuer);
  return postForm(`${instance.issuer}/oauth2/${endpoint}`, { ...params, ...authentication });
};

beforeAll(async () => {
  app.answer = async (request, response) => {
    if (request.method === 'GET') return json(keys.jwks)(request, response);
    challenge = JSON.parse(await text(request)).backchannel_challenge;
    response.writeHead(204).end();
  };
  idToken = String((await post('token', redemptionOf(await codeFor(instance, client)))).body.id_token);
});

test('a backchannel request by the ID token of a pairwise client is answered for nobody else', async () => {
  expect((await post('bc-authorize', { scope: 'openid', id_token_hint: idToken })).status).toBe(200);
  const accept = async (subject: string) => {
    const path = `backchannel/accept?backchannel_challenge=${challenge}`;
    return (await headless(instance, 'PUT', path, { subject, grant_scope: ['openid'] })).status;
  };
  expect([await accept('bob'), await accept('alice')]).toEqual([400, 204]);
});

test('a device that names its person by the ID token of a pairwise client is let in by nobody else', async () => {
  const outcomes: unknown[] = [];
  for (const subject of ['bob', 'alice']) {
    const { body } = await post('device/auth', { scope: 'openid', id_token_hint: idToken });
    const decided = letIn(instance, body as never, { subject });
    // Another user is refused as soon as they have signed in, before the consent page.
    if (subject === 'bob') await expect(decided).rejects.toThrow('no consent_challenge');
    else await decided;
    outcomes.push((await post('token', { grant_type: deviceCode, device_code: String(body.device_code) })).body.error);
  }
  expect(outcomes).toEqual(['access_denied', undefined]);
});
