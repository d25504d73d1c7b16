import { createGitHubStandIn } from '@carnet/test-servers/identity-providers';
import { describe, expect, it } from 'vitest';
import { clientOf, openProvider, optionsOf, type SignInOptions, signIn } from './open-preset.ts';

const client = clientOf('github');
const verified = { email: 'ada@example.com', primary: true, verified: true };
const ada = { id: 583231, login: 'ada', name: null, email: 'shown@example.com', emails: [verified] };

const open = async (members: object = {}) => {
  const github = createGitHubStandIn(client);
  const options = optionsOf({ name: 'github', preset: 'github', ...members });
  const provider = await openProvider(options, github.send);
  const by = (user: object, others?: SignInOptions) =>
    signIn(provider, github, client.redirectUri, { ...user }, others);
  return { github, provider, by };
};

describe('GitHub', () => {
  it('signs in a user by the number of the account, with the verified primary address', async () => {
    const { by } = await open();
    expect(await by(ada)).toMatchObject({
      outcome: 'verified',
      user: {
        subject: '583231',
        email: 'ada@example.com',
        emailVerified: true,
        claims: { name: 'ada', nickname: 'ada' },
      },
    });
  });

  it.each([
    ['an address that is not verified', [{ ...verified, verified: false }]],
    ['an address that is not the primary one', [{ ...verified, primary: false }]],
    ['no address', []],
  ])('%s is none', async (_title, emails) => {
    const { by } = await open();
    expect(await by({ ...ada, emails })).toMatchObject({ user: { email: undefined, emailVerified: false } });
  });

  it('a login without the number is no subject', async () => {
    const { by } = await open();
    expect(await by({ ...ada, id: 'ada' })).toEqual({ outcome: 'failed', reason: 'no_subject' });
  });

  it('an error with the status 200 is a failure, and its text is in no reason', async () => {
    const { by } = await open({ clientSecret: 'wrong' });
    const result = await by(ada);
    expect(result).toMatchObject({ outcome: 'failed' });
    expect(JSON.stringify(result)).not.toContain('secret text');
  });

  it('a code is redeemed by the browser that began only', async () => {
    const { by } = await open();
    expect(await by(ada, { secret: 'of another browser' })).toMatchObject({ outcome: 'failed' });
  });

  it('gets the login name by its own parameter, and no locales', async () => {
    const { provider } = await open();
    const asked = { callback: client.redirectUri, state: 's', secret: 'c', loginHint: 'ada', uiLocales: 'de' };
    const { searchParams } = new URL(await provider.authorizationUrl(asked));
    expect([searchParams.get('login'), searchParams.get('login_hint'), searchParams.get('ui_locales')]).toEqual([
      'ada',
      null,
      null,
    ]);
  });
});
