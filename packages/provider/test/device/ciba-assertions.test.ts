import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { registerBeforeTests } from '../before-tests.ts';
import { postForm, refusal } from '../call.ts';
import { consentPage, loginPage, start } from '../harness.ts';
import { startHookServer } from '../hook-server.ts';
import { assertionForm, clientAssertion } from '../signed-requests.ts';
import { clients, registrations } from '../threat-target.ts';

const app = beforeTests(startHookServer);
const instance = beforeTests(() =>
  start({
    config: {
      urls: { login: loginPage, consent: consentPage, backchannelAuthentication: app.url },
      features: { ciba: { enabled: true } },
    },
  }),
);
registerBeforeTests(instance, clients.signing.id, {
  ...registrations.signing,
  grant_types: ['urn:openid:params:grant-type:ciba'],
  redirect_uris: [],
});

test('a client assertion that is used again at the backchannel endpoint has no user asked', {
  tags: ['D6'],
}, async () => {
  const form = assertionForm(await clientAssertion(instance.issuer));
  form.set('scope', 'openid');
  form.set('login_hint', 'alice');
  const ask = () => postForm(`${instance.issuer}/oauth2/bc-authorize`, form);
  expect((await ask()).status).toBe(200);
  expect(app.calls).toHaveLength(1);
  expect(await ask()).toMatchObject(refusal('invalid_client', 401));
  expect(app.calls).toHaveLength(1);
});
