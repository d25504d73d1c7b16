import { afterAll, beforeAll, expect, test } from 'vitest';
import { postForm } from '../call.ts';
import { registerClient } from '../clients.ts';
import { consentPage, type Instance, loginPage, start } from '../harness.ts';
import { startHookServer } from '../hook-server.ts';
import { assertionForm, clientAssertion } from '../signed-requests.ts';
import { clients, registrations } from '../threat-target.ts';

let app: Awaited<ReturnType<typeof startHookServer>>;
let instance: Instance;
beforeAll(async () => {
  app = await startHookServer();
  instance = await start({
    config: {
      urls: { login: loginPage, consent: consentPage, backchannelAuthentication: app.url },
      features: { ciba: { enabled: true } },
    },
  });
  await registerClient(instance, clients.signing.id, {
    ...registrations.signing,
    grant_types: ['urn:openid:params:grant-type:ciba'],
    redirect_uris: [],
  });
});
afterAll(() => Promise.all([instance.stop(), app.stop()]));

test('a client assertion that is used again at the backchannel endpoint has no user asked', {
  tags: ['D6'],
}, async () => {
  const form = assertionForm(await clientAssertion(instance.issuer));
  form.set('scope', 'openid');
  form.set('login_hint', 'alice');
  const ask = () => postForm(`${instance.issuer}/oauth2/bc-authorize`, form);
  expect((await ask()).status).toBe(200);
  expect(app.calls).toHaveLength(1);
  expect(await ask()).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  expect(app.calls).toHaveLength(1);
});
