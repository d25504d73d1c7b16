import type { Entry } from 'ldapts';

/** The values of an attribute. Servers choose the case of its name. ldapts returns one value as text, several as a list. */
export const valuesOf = (entry: Entry, attribute: string): readonly (Buffer | string)[] => {
  const name = Object.keys(entry).find((key) => key.toLowerCase() === attribute.toLowerCase());
  const values = name === undefined ? [] : entry[name];
  return values === undefined ? [] : Array.isArray(values) ? values : [values];
};

export const textsOf = (entry: Entry, attribute: string): readonly string[] =>
  valuesOf(entry, attribute).map((value) => value.toString());

const accountDisabled = 2;
/** The value that OpenLDAP stores for a lock that only an administrator can remove. */
const lockedForever = '000001010000Z';
/** Active Directory writes "never" in two ways. */
const neverExpires: readonly (string | undefined)[] = [undefined, '0', '9223372036854775807'];

/** Active Directory counts in units of 100 nanoseconds since 1601. */
const millisecondsOf = (fileTime: string): number => Number(BigInt(fileTime) / 10_000n) - 11_644_473_600_000;

/** The attributes of an account that are read for its state, not for claims. */
export const stateAttributes = [
  ...['userAccountControl', 'accountExpires', 'pwdLastSet'],
  ...['pwdAccountLockedTime', 'pwdChangedTime'],
  'nsAccountLock',
] as const;

const isExpired = (accountExpires: string | undefined): boolean =>
  !neverExpires.includes(accountExpires) &&
  /^\d{1,19}$/.test(accountExpires ?? '') &&
  millisecondsOf(accountExpires ?? '0') < Date.now();

/** The reason why the user may not sign in, if the entry shows it. A lock that expires is not a reason. */
export const refusalOf = (entry: Entry): 'disabled' | 'locked' | 'expired' | undefined => {
  const first = (attribute: string): string | undefined => textsOf(entry, attribute)[0];
  if ((Number(first('userAccountControl') ?? 0) & accountDisabled) !== 0) return 'disabled';
  if (first('nsAccountLock')?.toLowerCase() === 'true') return 'disabled';
  if (first('pwdAccountLockedTime') === lockedForever) return 'locked';
  return isExpired(first('accountExpires')) ? 'expired' : undefined;
};

/** Whether wrong passwords locked the account. After the lock, slapd removes the attribute at the next right password. */
export const hasLock = (entry: Entry): boolean => textsOf(entry, 'pwdAccountLockedTime').length > 0;

/** Changes with each change of the password, if the service account may read it. */
export const passwordVersionOf = (entry: Entry): string | undefined =>
  textsOf(entry, 'pwdChangedTime')[0] ?? textsOf(entry, 'pwdLastSet')[0];
