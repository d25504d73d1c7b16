import { createGoogleStandIn } from '@carnet/test-servers/identity-providers';
import { expect, it } from 'vitest';
import { openOidcProvider } from '../src/index.ts';
import { clientOf, optionsOf } from './open-preset.ts';

const client = clientOf('google');
const request = { callback: client.redirectUri, state: 's', secret: 'c' };
const hourMs = 3_600_000;

const open = async () => {
  const google = createGoogleStandIn(client);
  const clock = { now: 0 };
  const outage = { isOn: false };
  const provider = await openOidcProvider(optionsOf({ name: 'google', preset: 'google' }), {
    send: async (sent) => {
      if (outage.isOn) throw new Error('unreachable');
      return google.send(sent);
    },
    now: () => clock.now,
  });
  return { provider, clock, outage, requests: google.requests };
};

it('the metadata is read at the first sign-in, once for all that wait for it', async () => {
  const { provider, requests } = await open();
  expect(requests).toEqual([]);
  await Promise.all([provider.authorizationUrl(request), provider.authorizationUrl(request)]);
  expect(requests).toEqual(['GET https://accounts.google.com/.well-known/openid-configuration']);
});

it('the metadata is read again after an hour, in the background', async () => {
  const { provider, clock, requests } = await open();
  await provider.authorizationUrl(request);
  clock.now += hourMs - 1;
  await provider.authorizationUrl(request);
  expect(requests).toHaveLength(1);
  clock.now += 1;
  await provider.authorizationUrl(request);
  await expect.poll(() => requests.length).toBe(2);
});

it('an outage does not disturb sign-ins with metadata that is known, and asks the provider once in ten seconds', async () => {
  const { provider, clock, outage, requests } = await open();
  await provider.authorizationUrl(request);
  outage.isOn = true;
  clock.now += hourMs;
  await provider.authorizationUrl(request);
  await provider.authorizationUrl(request);
  outage.isOn = false;
  await provider.authorizationUrl(request);
  expect(requests).toHaveLength(1);
  clock.now += 10_000;
  await provider.authorizationUrl(request);
  await expect.poll(() => requests.length).toBe(2);
});

it('a private key that cannot be used is reported at the start, without a part of it', async () => {
  const options = optionsOf({
    name: 'corp',
    issuer: 'https://idp.example',
    clientSecret: undefined,
    privateKey: 'a key',
  });
  const opened = openOidcProvider(options, { send: async () => Promise.reject(new Error('none')), now: Date.now });
  await expect(opened).rejects.toThrow('privateKey must be a private key in PEM (PKCS #8).');
});
