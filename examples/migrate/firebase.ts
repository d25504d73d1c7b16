// Converts users of Firebase Authentication to lines for `carnet users import`. The second file has the password hash
// parameters of the project, as the console shows them (Authentication, Users, "Password hash parameters"):
//
//   firebase auth:export users.json --format=json
//   node firebase.ts users.json hash-config.txt > users.jsonl
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Members = Readonly<Record<string, unknown>>;

interface FirebaseUser {
  readonly localId: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly passwordHash?: string;
  readonly salt?: string;
  readonly displayName?: string;
  readonly photoUrl?: string;
  readonly phoneNumber?: string;
  readonly disabled?: boolean;
  /** The custom claims, as JSON. */
  readonly customAttributes?: string;
  readonly providerUserInfo?: readonly { readonly providerId: string }[];
  readonly mfaInfo?: readonly unknown[];
}

export interface Converted {
  readonly users: readonly Members[];
  /** One line for each part that is left out. */
  readonly problems: readonly string[];
}

/** Standard base64: exports of the Admin SDK have the URL-safe alphabet. */
const standard = (base64: string): string => base64.replaceAll('-', '+').replaceAll('_', '/');

/** The parameters of the project, without the hash and salt of a user. */
export const parseHashConfig = (text: string): ((user: { hash: string; salt: string }) => string) => {
  const read = (name: string): string => new RegExp(`\\b${name}"?\\s*[:=]\\s*"?([\\w+/=-]+)`).exec(text)?.[1] ?? '';
  const [key, separator] = [standard(read('base64_signer_key')), standard(read('base64_salt_separator'))];
  const [rounds, memoryCost] = [read('rounds'), read('mem_cost')];
  if (!key || !rounds || !memoryCost) throw new Error('The second file has no password hash parameters.');
  const parameters = `v=1,n=${memoryCost},r=${rounds},p=1,${separator && `ss=${separator},`}sk=${key}`;
  return ({ hash, salt }) => `$fbscrypt$${parameters}$${standard(salt)}$${standard(hash)}`;
};

/** Claims of the protocol, and members of the user. */
const reserved = new Set(['sub', 'email', 'email_verified', 'preferred_username', 'acr', 'amr', 'sid', 'nonce']);

const customClaims = (json: string, tell: (problem: string) => void): Members =>
  Object.fromEntries(
    Object.entries(JSON.parse(json) as Members).filter(([name]) => {
      if (reserved.has(name)) tell(`the custom claim ${name}`);
      return !reserved.has(name);
    }),
  );

type Encode = ReturnType<typeof parseHashConfig>;

const convertUser = (user: FirebaseUser, encode: Encode, report: (problem: string) => void) => {
  const { localId: id, email, emailVerified, passwordHash: hash, salt, displayName, photoUrl, phoneNumber } = user;
  const tell = (problem: string): void => report(`user ${id}: ${problem}`);
  for (const { providerId } of user.providerUserInfo ?? []) {
    if (providerId !== 'password') tell(`sign-in by ${providerId}`);
  }
  if (user.mfaInfo?.length) tell('the second factor');
  return {
    id,
    email,
    email_verified: emailVerified,
    password_hash: hash && salt ? encode({ hash, salt }) : undefined,
    state: user.disabled ? 'disabled' : 'active',
    claims: {
      ...customClaims(user.customAttributes || '{}', tell),
      name: displayName,
      picture: photoUrl,
      phone_number: phoneNumber,
    },
  };
};

export const convertUsers = (users: readonly FirebaseUser[], hashConfig: string): Converted => {
  const problems: string[] = [];
  const encode = parseHashConfig(hashConfig);
  // Users who are anonymous or sign in with their phone number only have no login name.
  const named = users.filter(({ localId, email }) => {
    if (email === undefined) problems.push(`user ${localId}: no email address, so no login name`);
    return email !== undefined;
  });
  return { users: named.map((user) => convertUser(user, encode, (problem) => problems.push(problem))), problems };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file = 'users.json', config = 'hash-config.txt'] = process.argv.slice(2);
  const { users } = JSON.parse(readFileSync(file, 'utf8')) as { readonly users: readonly FirebaseUser[] };
  const converted = convertUsers(users, readFileSync(config, 'utf8'));
  for (const user of converted.users) process.stdout.write(`${JSON.stringify(user)}\n`);
  for (const problem of converted.problems) process.stderr.write(`left out: ${problem}\n`);
}
