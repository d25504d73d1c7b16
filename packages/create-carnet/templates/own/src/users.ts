import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export interface User {
  /** Never changes, and is never given to another user: clients receive it as `sub`. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

interface StoredUser extends User {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** scrypt with 32 MiB, as OWASP recommends. */
const hashOf = (password: string, salt: Buffer): Promise<Buffer> =>
  derive(password.normalize(), salt, 32, { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 });

const withPassword = async (user: User, password: string): Promise<StoredUser> => {
  const salt = randomBytes(16);
  return { ...user, salt, hash: await hashOf(password, salt) };
};

// Replace this list with your user table. It stores the salt and the hash of each password, and never the password.
const { DEMO_PASSWORD } = process.env;
const demo = { id: 'user-1', email: 'demo@example.com', name: 'Demo User' };
const users = DEMO_PASSWORD ? [await withPassword(demo, DEMO_PASSWORD)] : [];
const decoy = await withPassword(demo, randomBytes(16).toString('hex'));

export const findUser = (id: string): User | undefined => users.find((user) => user.id === id);

/** The user with this email address, if the password is right. Before production, also limit the attempts. */
export const verifyUser = async (email: string, password: string): Promise<User | undefined> => {
  const user = users.find((one) => one.email === email.toLowerCase());
  // An unknown address costs a hash, too: the time of the answer does not show which addresses exist.
  const { salt, hash } = user ?? decoy;
  return timingSafeEqual(await hashOf(password, salt), hash) ? user : undefined;
};
