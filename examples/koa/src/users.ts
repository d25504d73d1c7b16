import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export interface User {
  /** Never changes, and is never given to another user: clients receive it as `sub`. */
  readonly id: string;
  readonly email: string;
}

const hash = async (password: string, salt: Buffer): Promise<Buffer> =>
  (await promisify(scrypt)(password.normalize(), salt, 32)) as Buffer;

// Your user table: it stores the salt and the hash of each password, and never the password.
const salt = randomBytes(16);
const demo = { id: 'user-1', email: 'demo@example.com', salt, hash: await hash('carnet-demo', salt) };
const users = [demo];

export const findUser = (id: string): User | undefined => users.find((user) => user.id === id);

/** The user with this email address, if the password is right. An app in production also limits the attempts. */
export const verifyUser = async (email: string, password: string): Promise<User | undefined> => {
  const user = users.find((one) => one.email === email.toLowerCase());
  // An unknown address costs a hash, too: the time of the answer does not show which addresses exist.
  const isRight = timingSafeEqual(await hash(password, (user ?? demo).salt), (user ?? demo).hash);
  return isRight ? user : undefined;
};
