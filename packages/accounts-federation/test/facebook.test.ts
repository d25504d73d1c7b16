import { createFacebookStandIn } from '@carnet/test-servers/identity-providers';
import { describe, expect, it } from 'vitest';
import { clientOf, openProvider, optionsOf, signIn } from './open-preset.ts';

const client = clientOf('facebook');
const ada = { id: '10158234567890123', name: 'Ada Lovelace', first_name: 'Ada', last_name: 'Lovelace' };

const open = async (members: object = {}) => {
  const facebook = createFacebookStandIn(client);
  const provider = await openProvider(optionsOf({ name: 'facebook', preset: 'facebook', ...members }), facebook.send);
  return { by: (user: object, options = {}) => signIn(provider, facebook, client.redirectUri, { ...user }, options) };
};

describe('Facebook', () => {
  it('a user signs in by the number at this application, with an address that is not verified', async () => {
    const { by } = await open();
    expect(await by({ ...ada, email: 'ada@example.com', birthday: '12/10/1815' })).toMatchObject({
      outcome: 'verified',
      user: {
        ...{ subject: ada.id, email: 'ada@example.com', emailVerified: false, authTime: undefined },
        claims: { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace' },
      },
    });
  });

  it('a user without an address signs in, and an id that is no text is refused', async () => {
    const { by } = await open();
    expect(await by(ada)).toMatchObject({ outcome: 'verified', user: { email: undefined, emailVerified: false } });
    expect(await by({ ...ada, id: `${ada.id}x` })).toEqual({
      outcome: 'failed',
      reason: 'no_subject',
    });
  });

  it('an error, which Facebook sends as an object, is a failure, and its text is in no reason', async () => {
    const result = await (await open({ clientSecret: 'wrong' })).by(ada);
    expect(result).toMatchObject({ outcome: 'failed' });
    expect(JSON.stringify(result)).not.toContain('secret text');
  });

  it('a fresh sign-in is not proved, and its request has no parameter that Facebook does not know', async () => {
    const { by } = await open();
    expect(await by(ada, { loginAfter: Date.now() })).toMatchObject({ user: { isFresh: false } });
    expect(await by(ada, { maxAge: 60 })).toMatchObject({ user: { isFresh: false } });
  });
});
