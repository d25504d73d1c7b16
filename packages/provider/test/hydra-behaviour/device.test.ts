import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import { createBrowser } from '../browser.ts';
import { headless, type Json } from '../login.ts';
import { type Client, createClient, post } from './clients.ts';
import { type Decisions, follow } from './journey.ts';
import { startLikeHydra, strategies } from './start.ts';

const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code';
const tokenNames = ['access_token', 'id_token', 'refresh_token'];

describe.each(strategies)('the device grant as Hydra has it, %s access tokens', (access_token_strategy) => {
  const instance = beforeTests(() => startLikeHydra());

  const registered = (metadata: Json = {}) =>
    createClient(instance, {
      client_secret: 'a-secret-of-the-client',
      scope: 'offline_access openid',
      subject_type: 'public',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: [deviceCode, 'refresh_token'],
      access_token_strategy,
      ...metadata,
    });

  /** The tokens of a device after the user has decided. */
  const letIn = async (client: Client, consent: Decisions['consent']): Promise<Json> => {
    const codes = (await post(`${instance.issuer}/oauth2/device/auth`, client, { scope: client.scope })).body;
    const browser = createBrowser();
    const { page, query } = await follow(instance, browser, String(codes.verification_uri_complete));
    expect([page, query.user_code]).toEqual(['device', codes.user_code]);
    const { body } = await headless(instance, 'PUT', `device/accept?device_challenge=${query.device_challenge}`, {
      user_code: codes.user_code,
    });
    const end = await follow(instance, browser, String(body.redirect_to), { login: {}, consent });
    expect([end.page, end.query.client_id]).toEqual(['device/success', client.client_id]);
    const form = { grant_type: deviceCode, device_code: String(codes.device_code) };
    return (await post(`${instance.issuer}/oauth2/token`, client, form)).body;
  };

  test.each([
    [['offline_access', 'openid'], tokenNames],
    [['offline_access'], ['access_token', 'refresh_token']],
    [['openid'], ['access_token', 'id_token']],
  ])('granting the scopes %j gives %j', async (scope, expected) => {
    const tokens = await letIn(await registered(), { scope });
    expect(tokenNames.filter((name) => name in tokens)).toEqual(expected);
  });

  test('skips the consent of a client that is registered so', async () => {
    const tokens = await letIn(await registered({ skip_consent: true }), undefined);
    expect(tokenNames.filter((name) => name in tokens)).toEqual(tokenNames);
  });
});
