import type { Entry } from 'ldapts';

/** The values of an attribute. Servers choose the case of its name. ldapts has one value as text, several as a list. */
export const valuesOf = (entry: Entry, attribute: string): readonly (Buffer | string)[] => {
  const name = Object.keys(entry).find((key) => key.toLowerCase() === attribute.toLowerCase());
  const values = name === undefined ? [] : entry[name];
  return values === undefined ? [] : Array.isArray(values) ? values : [values];
};

export const textsOf = (entry: Entry, attribute: string): readonly string[] =>
  valuesOf(entry, attribute).map((value) => value.toString());

const accountDisabled = 2;
const lockedForever = '000001010000Z';

/** The attributes that `accountState` reads. */
export const stateAttributes = ['userAccountControl', 'pwdAccountLockedTime', 'nsAccountLock'] as const;

/** The state of the account as its attributes have it; a server may refuse the password for other reasons. */
export const accountState = (entry: Entry): 'disabled' | 'locked' | undefined => {
  const control = Number(textsOf(entry, 'userAccountControl')[0] ?? 0);
  const lockedTime = textsOf(entry, 'pwdAccountLockedTime')[0];
  if ((control & accountDisabled) !== 0 || textsOf(entry, 'nsAccountLock')[0]?.toLowerCase() === 'true')
    return 'disabled';
  return lockedTime === undefined ? undefined : lockedTime === lockedForever ? 'disabled' : 'locked';
};
