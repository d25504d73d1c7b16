import { describe, expect, it } from 'vitest';
import { createAda, sqliteUrl } from '../../provider/test/accounts/start-accounts.ts';
import { sendJson } from '../../provider/test/call.ts';
import { introspect, login } from '../../provider/test/login.ts';
import { client, openInstallation } from './open-installation.ts';

const names = [undefined, 'acme', 'apart'] as const;

/** The first issuer, one with its users, and one with users of its own who may have the same subjects. */
const openWithAda = async () => {
  const database = sqliteUrl();
  const subject = `users.${await createAda(database)}`;
  const directories = [{ name: 'users', kind: 'sql' as const }];
  const installation = await openInstallation({
    config: { accounts: { database, directories } },
    issuersAt: (port) => ({
      acme: { issuer: `http://localhost:${port}` },
      apart: { issuer: `http://127.0.0.1:${port}/apart`, accounts: { database: sqliteUrl(), migrate: true } },
    }),
  });
  const { at, issuers, register } = installation;
  const signIn = async (name?: string) => {
    await register(name);
    const remember = { remember: true, remember_for: 600 };
    return login(at(name), client, { login: { subject, ...remember }, consent: remember });
  };
  const accessAt = async (name: string | undefined, token: unknown) => ({
    sessions: (await issuers.use(name, ({ sessions }) => sessions.list({ subject }))).items.length,
    active: (await introspect(at(name), token)).active,
  });
  return { ...installation, subject, signIn, accessAt };
};

describe('an issuer with the users of another', () => {
  it.each([
    ['the first one', names[0]],
    ['the named one', names[1]],
  ])('ends the access of a user at both, by %s', async (_, actor) => {
    const { at, subject, signIn, accessAt } = await openWithAda();
    const tokens = new Map<string | undefined, unknown>();
    for (const name of names) tokens.set(name, (await signIn(name)).access_token);
    for (const name of names) expect(await accessAt(name, tokens.get(name))).toEqual({ sessions: 1, active: true });
    expect(await sendJson('PATCH', `${at(actor).admin}/admin/users/${subject}`, { state: 'disabled' })).toMatchObject({
      status: 200,
    });
    for (const name of names) {
      const expected = name === 'apart' ? { sessions: 1, active: true } : { sessions: 0, active: false };
      expect(await accessAt(name, tokens.get(name)), name).toEqual(expected);
    }
  });
});
