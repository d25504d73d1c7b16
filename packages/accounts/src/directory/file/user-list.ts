import { z } from 'zod';
import { normaliseLogin } from '../logins/normalise-login.ts';
import { passwordHashProblem } from '../passwords/parse-hash.ts';

const login = z.string().refine((text) => normaliseLogin(text) !== undefined, 'is no login name');

const listedUser = z
  .strictObject({
    /** The user's id for ever: never the email address. */
    subject: z.string().min(1).max(200),
    /** A login name. */
    email: login.optional(),
    /** More login names. */
    logins: z.array(login).default([]),
    passwordHash: z.string().superRefine((encoded, { addIssue }) => {
      const problem = passwordHashProblem(encoded);
      if (problem !== undefined) addIssue({ code: 'custom', message: problem, input: '' });
    }),
    state: z.enum(['active', 'locked', 'disabled']).default('active'),
    claims: z.record(z.string(), z.unknown()).default({}),
  })
  .refine(({ email, logins }) => email !== undefined || logins.length > 0, 'needs `email` or `logins`');

/** A user of a list: `{ subject, email?, logins?, passwordHash, state?, claims? }`. */
export type ListedUser = z.input<typeof listedUser>;
type User = z.output<typeof listedUser>;

/** The users of a list by id and by login. */
export interface UserList {
  byId(id: string): User | undefined;
  byLogin(login: string): User | undefined;
  /** One hash for each user, for the check of passwords. */
  readonly hashes: readonly string[];
}

const index = (users: readonly User[], keysOf: (user: User) => readonly string[], what: string) => {
  const indexed = new Map<string, User>();
  for (const user of users)
    for (const key of new Set(keysOf(user))) {
      if (indexed.has(key)) throw new Error(`two users have the ${what} ${JSON.stringify(key)}`);
      indexed.set(key, user);
    }
  return indexed;
};

const loginsOf = ({ email, logins }: User): readonly string[] =>
  [...(email === undefined ? [] : [email]), ...logins].map((text) => normaliseLogin(text) ?? text);

/** @throws Error that names the user and what is wrong; it never contains a hash */
export const parseUserList = (input: unknown): UserList => {
  const parsed = z.array(listedUser).min(1, 'has no user').safeParse(input);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const byId = index(parsed.data, ({ subject }) => [subject], 'subject');
  const byLogin = index(parsed.data, loginsOf, 'login');
  return {
    byId: (id) => byId.get(id),
    byLogin: (text) => byLogin.get(text),
    hashes: parsed.data.map(({ passwordHash }) => passwordHash),
  };
};
