// Converts rows of better-auth to lines for `carnet users import`. The input has one JSON object on each line:
// {"id", "email", "emailVerified", "name", "password"}, where `password` is that of the account "credential".
//
//   node better-auth.ts < users.json > users.jsonl
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

interface BetterAuthUser {
  readonly id: string;
  readonly email: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
  /** `<salt>:<key>` in hex, by scrypt with N 16384, r 16, p 1. The salt is used as text. */
  readonly password?: string | null;
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const hashOf = (password: string): string => {
  const [salt = '', key = ''] = password.split(':');
  return `$scrypt$ln=14,r=16,p=1$${base64(Buffer.from(salt))}$${base64(Buffer.from(key, 'hex'))}`;
};

export const convertUser = ({ id, email, emailVerified, name, password }: BetterAuthUser) => ({
  id,
  email,
  email_verified: emailVerified,
  password_hash: password ? hashOf(password) : undefined,
  claims: { name },
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim()) process.stdout.write(`${JSON.stringify(convertUser(JSON.parse(line) as BetterAuthUser))}\n`);
  }
}
