import type { Write } from '@carnet/adapter-contract';
import { type KeyLayout, memberOf } from './keys.ts';
import { toExpiry, toFields, toMemberField, toTime } from './record.ts';

/** Keys by their numbers, each once, as a script has them. */
const createNumbering = () => {
  const numbers = new Map<string, number>();
  return {
    numberOf(key: string): string {
      const number = numbers.get(key) ?? numbers.size + 1;
      numbers.set(key, number);
      return `${number}`;
    },
    keys: (): string[] => [...numbers.keys()],
  };
};

const counted = (texts: readonly string[]): readonly string[] => [`${texts.length}`, ...texts];

/** The arguments of a write for the script, besides its type and keys. */
const encodeDetails = (write: Write, keys: KeyLayout): readonly string[] => {
  switch (write.type) {
    case 'put':
    case 'claim': {
      const { record } = write;
      const list = keys.listOf(record);
      const listing = list === undefined ? ['', ''] : [list, memberOf(record)];
      return [toExpiry(record.expiresAt), ...listing, ...counted(toFields(record, keys))];
    }
    case 'consume':
      return [`${toTime(write.at)}`];
    case 'merge': {
      const expiry = write.expiresAt === undefined ? '' : toExpiry(write.expiresAt);
      return [expiry, ...counted(write.members.map(toMemberField))];
    }
    default:
      return [];
  }
};

const typeOf = (write: Write): string => (write.type === 'put' && write.onlyIfPresent ? 'replace' : write.type);

export interface CommitTerms {
  readonly now: number;
  /** The value that the data set's marker has to have; none: any, or none. */
  readonly marker?: string;
  /** Lists are on the same server as what they list. */
  readonly keepsLists: boolean;
  /** Replicas are waited for. */
  readonly isAwaited: boolean;
}

const flag = (isSet: boolean): string => (isSet ? '1' : '');

/** The keys and arguments of `commitScript`. */
export const encodeCommit = (
  writes: readonly Write[],
  keys: KeyLayout,
  { now, marker, keepsLists, isAwaited }: CommitTerms,
) => {
  const { numberOf, keys: numbered } = createNumbering();
  const args = writes.flatMap((write) => {
    if (write.type === 'revoke') return ['revoke', '0', numberOf(keys.ofGrant(write.grantId))];
    const key = 'record' in write ? write.record : write.key;
    const grant = key.grantId === undefined ? '0' : numberOf(keys.ofGrant(key.grantId));
    return [typeOf(write), numberOf(keys.record(key)), grant, ...encodeDetails(write, keys)];
  });
  const markerKey = marker === undefined ? [] : [keys.marker];
  const terms = [`${now}`, marker ?? '', flag(keepsLists), flag(isAwaited)];
  return { keys: [...numbered(), ...markerKey], args: [...terms, ...args] };
};
