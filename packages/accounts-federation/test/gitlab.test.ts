import { createGitLabStandIn } from '@carnet/test-servers/identity-providers';
import { describe, expect, it } from 'vitest';
import { clientOf, openProvider, optionsOf, signIn } from './open-preset.ts';

const client = clientOf('gitlab');
const hourAgo = Math.floor(Date.now() / 1_000) - 3_600;
const ada = { sub: '12345', name: 'Ada', email: 'ada@example.com', email_verified: true, auth_time: hourAgo };

const open = async (issuer?: string) => {
  const gitlab = createGitLabStandIn(client, issuer);
  const provider = await openProvider(optionsOf({ name: 'gitlab', preset: 'gitlab', issuer }), gitlab.send);
  return { by: (user: object, options = {}) => signIn(provider, gitlab, client.redirectUri, { ...user }, options) };
};

describe('GitLab', () => {
  it.each([
    ['GitLab.com', undefined],
    ['an instance', 'https://gitlab.example.com'],
  ])('a user of %s signs in, and the time is that of the ID token', async (_title, issuer) => {
    const { by } = await open(issuer);
    expect(await by({ ...ada, groups_direct: ['team'] })).toMatchObject({
      outcome: 'verified',
      user: { subject: '12345', emailVerified: true, authTime: hourAgo, isFresh: true },
    });
  });

  it('a fresh sign-in is not proved, although there is a time', async () => {
    const { by } = await open();
    const now = Math.floor(Date.now() / 1_000);
    expect(await by({ ...ada, auth_time: now }, { maxAge: 60 })).toMatchObject({ user: { isFresh: false } });
    expect(await by({ ...ada, auth_time: now }, { loginAfter: Date.now() })).toMatchObject({
      user: { isFresh: false },
    });
  });

  it('a token of another instance is refused', async () => {
    const { by } = await open('https://gitlab.example.com');
    expect(await by({ ...ada, iss: 'https://gitlab.com' })).toMatchObject({ outcome: 'failed' });
  });
});
