import { createDiscordStandIn } from '@carnet/test-servers/identity-providers';
import { describe, expect, it } from 'vitest';
import { clientOf, openProvider, optionsOf, signIn } from './open-preset.ts';

const client = clientOf('discord');
const ada = { id: '80351110224678912', username: 'ada', global_name: 'Ada', avatar: 'a1', email: 'ada@example.com' };

const open = async () => {
  const discord = createDiscordStandIn(client);
  const provider = await openProvider(optionsOf({ name: 'discord', preset: 'discord' }), discord.send);
  return { by: (user: object, options = {}) => signIn(provider, discord, client.redirectUri, { ...user }, options) };
};

describe('Discord', () => {
  it.each([
    [true, true],
    [false, false],
    [undefined, false],
  ])('a user signs in by the number of the account; verified %j is %s', async (verified, emailVerified) => {
    const { by } = await open();
    const picture = 'https://cdn.discordapp.com/avatars/80351110224678912/a1.png';
    expect(await by({ ...ada, verified })).toMatchObject({
      outcome: 'verified',
      user: { subject: ada.id, emailVerified, claims: { name: 'Ada', nickname: 'ada', picture }, authTime: undefined },
    });
  });

  it('a user without a display name has the login name, and an id that is no text is refused', async () => {
    const { by } = await open();
    const named = await by({ ...ada, global_name: null, avatar: null });
    expect(named).toMatchObject({ user: { claims: { name: 'ada' } } });
    expect(named).not.toMatchObject({ user: { claims: { picture: expect.anything() } } });
    expect(await by({ ...ada, id: 80351110224678912 })).toEqual({ outcome: 'failed', reason: 'no_subject' });
  });

  it('a fresh sign-in is not proved, and its request has no parameter that Discord does not know', async () => {
    const { by } = await open();
    expect(await by(ada, { loginAfter: Date.now() })).toMatchObject({ user: { isFresh: false } });
  });
});
