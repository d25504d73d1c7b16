import { createLinkedInStandIn } from '@carnet/test-servers/identity-providers';
import { describe, expect, it } from 'vitest';
import { clientOf, openProvider, optionsOf, signIn } from './open-preset.ts';

const client = clientOf('linkedin');
const ada = { sub: '782bbtaQ', name: 'Ada', email: 'ada@example.com', locale: { country: 'GB', language: 'en' } };

const open = async (members: object = {}) => {
  const linkedin = createLinkedInStandIn(client);
  const provider = await openProvider(optionsOf({ name: 'linkedin', preset: 'linkedin', ...members }), linkedin.send);
  return { by: (user: object, options = {}) => signIn(provider, linkedin, client.redirectUri, { ...user }, options) };
};

describe('LinkedIn', () => {
  it.each([
    [true, true],
    ['true', true],
    [false, false],
    [undefined, false],
  ])('a user signs in without a nonce; email_verified %j is %s', async (verified, emailVerified) => {
    const { by } = await open();
    expect(await by({ ...ada, email_verified: verified })).toMatchObject({
      outcome: 'verified',
      user: { subject: '782bbtaQ', email: 'ada@example.com', emailVerified, claims: { name: 'Ada' }, isFresh: true },
    });
  });

  it('a fresh sign-in is not proved, and its request has no parameter that LinkedIn does not know', async () => {
    const { by } = await open();
    expect(await by(ada, { loginAfter: Date.now() })).toMatchObject({ user: { isFresh: false } });
    expect(await by(ada, { maxAge: 60 })).toMatchObject({ user: { isFresh: false } });
  });

  it('the secret is sent in the form, unless the configuration has another method', async () => {
    expect(await (await open()).by(ada)).toMatchObject({ outcome: 'verified' });
    const basic = await open({ clientSecretMethod: 'client_secret_basic' });
    expect(await basic.by(ada)).toEqual({ outcome: 'failed', reason: 'invalid_client' });
  });
});
