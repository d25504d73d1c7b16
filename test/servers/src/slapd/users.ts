import { createHash, randomBytes } from 'node:crypto';
import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from 'bcryptjs';
import { answers, answersDn, peopleDn, policiesDn } from './configuration.ts';

/** A user of the tests' slapd. */
export interface SlapdUser {
  readonly uid: string;
  readonly dn: string;
  readonly password: string;
  /** Attributes besides those that every user has, operational ones included. */
  readonly attributes?: Attributes;
}

export type Attributes = Readonly<Record<string, string | number | Buffer | readonly string[]>>;

type HashKind = 'ssha' | 'ssha512' | 'argon2id' | 'bcrypt';

const salted = (algorithm: 'sha1' | 'sha512', label: string, password: string): string => {
  const salt = randomBytes(8);
  const digest = createHash(algorithm).update(password).update(salt).digest();
  return `{${label}}${Buffer.concat([digest, salt]).toString('base64')}`;
};

interface Costs {
  readonly argon2: { readonly memoryCost: number; readonly timeCost: number; readonly parallelism: number };
  readonly bcrypt: number;
}

/** A thousand users have hashes that are cheap to make and check. */
const cheap: Costs = { argon2: { memoryCost: 256, timeCost: 1, parallelism: 1 }, bcrypt: 4 };
const realistic: Costs = { argon2: { memoryCost: 19_456, timeCost: 2, parallelism: 1 }, bcrypt: 10 };

const hashWith = async (kind: HashKind, password: string, costs: Costs): Promise<string> => {
  if (kind === 'ssha') return salted('sha1', 'SSHA', password);
  if (kind === 'ssha512') return salted('sha512', 'SSHA512', password);
  if (kind === 'argon2id') return `{ARGON2}${await argon2(password, costs.argon2)}`;
  return `{CRYPT}${await bcrypt(password, costs.bcrypt)}`;
};

const user = (uid: string, attributes: Attributes = {}): SlapdUser => ({
  uid,
  dn: `uid=${uid},${peopleDn}`,
  password: `password-${uid}`,
  attributes,
});

const strict = { pwdPolicySubentry: `cn=strict,${policiesDn}` };
const longAgo = '20200101000000Z';

/** Users by name: each has one hash format, one state of its account, or one answer of the server. */
export const namedUsers: readonly (SlapdUser & { readonly hash?: HashKind })[] = [
  { ...user('ada', { givenName: 'Ada', telephoneNumber: '+44 20 0000', description: 'staff' }), hash: 'ssha' },
  { ...user('ben'), hash: 'ssha512' },
  { ...user('cleo'), hash: 'argon2id' },
  { ...user('dora'), hash: 'bcrypt' },
  user('zoë'),
  user('strict', strict),
  user('locked', { ...strict, pwdAccountLockedTime: '000001010000Z' }),
  user('expired', { ...strict, pwdChangedTime: longAgo }),
  user('must-change', { ...strict, pwdReset: 'TRUE' }),
  { ...user('twin'), dn: `cn=First Twin,${peopleDn}` },
  { ...user('twin'), dn: `cn=Second Twin,${peopleDn}` },
  // 2020-01-01 in units of 100 nanoseconds since 1601.
  user('ad-left', { accountExpires: '132223104000000000' }),
  user('ad-suspended', { userAccountControl: 514 }),
  user('ad-plain', { userAccountControl: 512, unicodePwd: Buffer.from('"password-ad-plain"', 'utf16le') }),
  ...answers.map(({ uid }) => ({ ...user(uid), dn: `cn=${uid},${answersDn}` })),
];

const numbered = (index: number): SlapdUser => user(`user${`${index}`.padStart(4, '0')}`);

/** The numbered users: `user0001`, `user0002` ... with the password `password-user0001` ... */
export const numberedUsers = (count: number): readonly SlapdUser[] =>
  Array.from({ length: count }, (_, index) => numbered(index + 1));

const kinds: readonly HashKind[] = ['ssha', 'ssha512', 'argon2id', 'bcrypt'];

interface Entry {
  readonly dn: string;
  readonly attributes: Attributes;
}

const entryOf = async ({ uid, dn, password, attributes = {} }: SlapdUser, kind: HashKind, costs: Costs) => ({
  dn,
  attributes: {
    uid,
    cn: dn.startsWith('cn=') ? dn.slice(3, dn.indexOf(',')) : `User ${uid}`,
    sn: uid,
    mail: `${uid}@example.org`.normalize('NFKD').replaceAll(/[^\x20-\x7e]/g, ''),
    sAMAccountName: uid,
    userPrincipalName: `${uid}@corp.example.org`,
    // Stable over the servers of one test, as replicas are.
    entryUUID: uuidOf(dn),
    objectGUID: createHash('sha256').update(dn).digest().subarray(0, 16),
    userPassword: await hashWith(kind, password, costs),
    ...attributes,
    objectClass: ['inetOrgPerson', 'adUser'],
  },
});

const uuidOf = (dn: string): string => {
  const hex = createHash('sha256').update(`uuid ${dn}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** The entries of all users. `only` gives every numbered user the same kind of hash. */
export const userEntries = async (count: number, only?: HashKind): Promise<readonly Entry[]> => {
  const named = namedUsers.map((each) => entryOf(each, each.hash ?? 'ssha', realistic));
  const others = numberedUsers(count).map((each, index) =>
    entryOf(each, only ?? (kinds[index % kinds.length] as HashKind), cheap),
  );
  return Promise.all([...named, ...others]);
};

export type { Entry, HashKind };
