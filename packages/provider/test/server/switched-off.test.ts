import { describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { authorizationUrl, credentialsFor } from '../login.ts';

describe('a client that was registered for a protection which is switched off now', () => {
  const off = { enabled: false };
  const instance = startBeforeTests({
    config: { features: { dpop: off, par: off, jar: off, mtls: off, encryption: off } },
  });

  const machine = (client: TestClient) => credentialsFor(instance, client, { scope: 'openid' });

  test.each([
    ['tokens bound to its key', { dpop_bound_access_tokens: true }],
    ['tokens bound to its certificate', { tls_client_certificate_bound_access_tokens: true }],
    ['pushed requests only', { require_pushed_authorization_requests: true }],
    ['signed requests only', { require_signed_request_object: true }],
    ['encrypted ID tokens', { id_token_encrypted_response_alg: 'ECDH-ES' }],
  ])('%s: is not served without', async (what, metadata) => {
    const client = await registerClient(instance, what, metadata);
    const { status, body } = await machine(client);
    const error_description = expect.stringContaining('a feature that is off');
    expect([status, body]).toMatchObject([400, { error: 'invalid_client_metadata', error_description }]);
    const response = await createBrowser().get(authorizationUrl(instance, client));
    expect(response.headers.get('location')).not.toContain('login_challenge');
  });

  test('one that asks for nothing of it is served', async () => {
    expect((await machine(await registerClient(instance, 'plain'))).status).toBe(200);
  });
});
