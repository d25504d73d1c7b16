import type { LawUser } from './law.ts';

/** A user with this login and a password and claims of its own. */
export const userNamed = (login: string, more: Partial<LawUser> = {}): LawUser => ({
  login,
  password: `Correct horse of ${login}`,
  name: `The user ${login}`,
  email: `mail-${Buffer.from(login).toString('hex').slice(0, 40)}@example.org`,
  ...more,
});

export const alice = userNamed('alice');
export const bob = userNamed('bob');
