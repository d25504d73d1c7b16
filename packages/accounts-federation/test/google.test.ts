import { createGoogleStandIn } from '@carnet/test-servers/identity-providers';
import { describe, expect, it } from 'vitest';
import { clientOf, openProvider, optionsOf, type SignInOptions, signIn } from './open-preset.ts';

const client = clientOf('google');
const ada = { sub: '110169484474386276334', email: 'ada@gmail.com', email_verified: true, name: 'Ada' };

const open = async (tenants: readonly string[] = []) => {
  const google = createGoogleStandIn(client);
  const provider = await openProvider(optionsOf({ name: 'google', preset: 'google', tenants }), google.send);
  const by = (user: object, options?: SignInOptions) =>
    signIn(provider, google, client.redirectUri, { ...user }, options);
  return { google, provider, by };
};

describe('Google', () => {
  it('signs in a user, whose subject is the number of the account', async () => {
    const { by } = await open();
    expect(await by(ada)).toEqual({
      outcome: 'verified',
      user: {
        subject: ada.sub,
        claims: { name: 'Ada' },
        mapped: {},
        email: 'ada@gmail.com',
        emailVerified: true,
        acr: undefined,
        amr: [],
        isFresh: true,
      },
    });
  });

  it.each([
    ['an address of Gmail is verified', { email: 'ada@gmail.com' }, true],
    ['an address of the organization is verified', { email: 'ada@example.com', hd: 'example.com' }, true],
    ['any other address is not, because its owner may have changed', { email: 'ada@example.com' }, false],
    ['an address of another domain than the organization is not', { email: 'a@example.org', hd: 'example.com' }, false],
    ['an address that Google does not call verified is not', { email_verified: false }, false],
  ])('%s', async (_title, members, emailVerified) => {
    const { by } = await open();
    expect(await by({ ...ada, ...members })).toMatchObject({ user: { emailVerified } });
  });

  it('a user of another organization is refused by the claim hd, whatever the request asked for', async () => {
    const { by, provider } = await open(['example.com']);
    const url = await provider.authorizationUrl({ callback: client.redirectUri, state: 's', secret: 'c' });
    expect(new URL(url).searchParams.get('hd')).toBe('example.com');
    expect(await by({ ...ada, hd: 'example.com' })).toMatchObject({ outcome: 'verified' });
    const refused = { outcome: 'denied', reason: 'foreign_tenant' };
    expect(await by({ ...ada, hd: 'example.org' })).toEqual(refused);
    expect(await by(ada)).toEqual(refused);
  });

  it('a subject that is no text of Unicode is refused: stored, two of them would be equal', async () => {
    const { by } = await open();
    expect(await by({ ...ada, sub: '110\ud800' })).toEqual({ outcome: 'failed', reason: 'no_subject' });
  });

  it('gets no max_age, which it does not honour: the sign-in may be an old one', async () => {
    const { by } = await open();
    expect(await by(ada, { maxAge: 60 })).toMatchObject({ outcome: 'verified', user: { isFresh: false } });
  });

  it.each([
    ['a code of another browser', { secret: 'of another browser' }],
    ['another state', { change: (sent: URLSearchParams) => sent.set('state', 'another') }],
    ['an issuer that is another one', { change: (sent: URLSearchParams) => sent.set('iss', 'https://evil.example') }],
    ['two codes', { change: (sent: URLSearchParams) => sent.append('code', 'another') }],
  ])('%s is refused', async (_title, options) => {
    const { by } = await open();
    expect(await by(ada, options)).toMatchObject({ outcome: 'failed' });
  });

  it.each([
    ['for another client', { aud: 'another client' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['of another sign-in', { nonce: 'another' }],
    ['that has expired', { exp: 1_000 }],
  ])('an ID token %s is refused', async (_title, members) => {
    const { by } = await open();
    expect(await by({ ...ada, ...members })).toMatchObject({ outcome: 'failed' });
  });

  it.each([
    ['access_denied', { outcome: 'denied', reason: 'access_denied' }],
    ['server_error', { outcome: 'failed', reason: 'server_error' }],
    ['a text with code=the-code', { outcome: 'failed', reason: 'error' }],
  ])('the error %j is reported as a code, never as its text', async (error, expected) => {
    const { by } = await open();
    const change = (sent: URLSearchParams): void => {
      sent.delete('code');
      sent.set('error', error);
    };
    expect(await by(ada, { change })).toEqual(expected);
  });

  it('an ID token with a signature of another key is refused', async () => {
    const { by, google } = await open();
    const send: typeof google.send = async (request) => {
      const answer = await google.send(request);
      if (request.url.endsWith('/certs')) google.changeKeys();
      return answer;
    };
    const provider = await openProvider(optionsOf({ name: 'google', preset: 'google' }), send);
    expect(await by(ada)).toMatchObject({ outcome: 'verified' });
    expect(await signIn(provider, google, client.redirectUri, ada)).toMatchObject({ outcome: 'verified' });
    // The keys were changed after Carnet had read them, less than a minute ago.
    expect(await signIn(provider, google, client.redirectUri, ada)).toMatchObject({ outcome: 'failed' });
  });
});
