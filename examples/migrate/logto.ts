// Converts users of Logto to lines for `carnet users import`. Logto's API returns no password hashes, so the input are rows
// of its database, one JSON object on each line:
//
//   psql "$LOGTO_DATABASE" -At -c "SELECT to_jsonb(u) || jsonb_build_object('roles', (SELECT jsonb_agg(r.name)
//     FROM users_roles ur JOIN roles r ON r.id = ur.role_id WHERE ur.user_id = u.id))
//     FROM users u WHERE u.tenant_id = 'default'" > logto.ndjson
//   node logto.ts < logto.ndjson > users.jsonl
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

type Members = Readonly<Record<string, unknown>>;

export interface LogtoUser {
  readonly id: string;
  readonly username?: string | null;
  readonly primary_email?: string | null;
  readonly primary_phone?: string | null;
  readonly password_encrypted?: string | null;
  readonly password_encryption_method?: string | null;
  readonly name?: string | null;
  readonly avatar?: string | null;
  readonly profile?: Readonly<Record<string, unknown>>;
  readonly custom_data?: Members;
  readonly identities?: Members;
  readonly mfa_verifications?: readonly { readonly type: string }[];
  readonly is_suspended?: boolean;
  readonly roles?: readonly string[] | null;
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** The method `Legacy`: `["pbkdf2", [salt, iterations, length, digest, "@"], key in hex]`. The salt is used as text. */
const legacyHash = (text: string): string | undefined => {
  const [algorithm, [salt = '', iterations, , digest = ''] = [], key = ''] = JSON.parse(text) as [
    string,
    string[],
    string,
  ];
  if (algorithm !== 'pbkdf2' || !['sha1', 'sha256', 'sha512'].includes(digest)) return undefined;
  return `$pbkdf2-${digest}$i=${iterations}$${base64(Buffer.from(salt))}$${base64(Buffer.from(key, 'hex'))}`;
};

/** Undefined for the methods that Carnet does not verify: Argon2d and digests without a cost. */
const hashOf = ({ password_encrypted: hash, password_encryption_method: method }: LogtoUser): string | undefined => {
  if (!hash) return undefined;
  if (method === 'Argon2i' || method === 'Argon2id' || method === 'Bcrypt') return hash;
  return method === 'Legacy' ? legacyHash(hash) : undefined;
};

/** `givenName` is the claim `given_name`. */
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const claimsOfProfile = (profile: Readonly<Record<string, unknown>>): Members =>
  Object.fromEntries(
    Object.entries(profile).flatMap(([name, value]) => {
      if (name === 'preferredUsername') return [];
      const isNested = typeof value === 'object' && value !== null;
      return [[snakeCase(name), isNested ? claimsOfProfile(value as Members) : value]];
    }),
  );

export const convertUser = (user: LogtoUser, report: (problem: string) => void) => {
  const { id, username, primary_email: email, primary_phone: phone, password_encryption_method: method } = user;
  const { name, avatar, profile = {}, custom_data: customData = {}, identities = {}, roles } = user;
  const tell = (problem: string): void => report(`user ${id}: ${problem}`);
  const hash = hashOf(user);
  if (user.password_encrypted && hash === undefined) tell(`the password hash of the method ${method}`);
  for (const provider of Object.keys(identities)) tell(`sign-in by ${provider}`);
  for (const { type } of user.mfa_verifications ?? []) tell(`the second factor "${type}"`);
  return {
    id,
    email: email ?? undefined,
    // Logto stores an address after it was verified.
    email_verified: email ? true : undefined,
    username: username ?? undefined,
    password_hash: hash,
    state: user.is_suspended ? 'disabled' : 'active',
    claims: {
      ...claimsOfProfile(profile),
      name: name ?? undefined,
      picture: avatar ?? undefined,
      phone_number: phone ? `+${phone.replace('+', '')}` : undefined,
      roles: roles?.length ? roles : undefined,
      custom_data: Object.keys(customData).length > 0 ? customData : undefined,
    },
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = (problem: string): void => void process.stderr.write(`left out: ${problem}\n`);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim()) process.stdout.write(`${JSON.stringify(convertUser(JSON.parse(line) as LogtoUser, report))}\n`);
  }
}
