import type { FoundRecord, RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import type { Clock } from '../clock.ts';
import { listPages } from '../storage/page.ts';
import type { AssertionName } from './assertion.ts';
import { fromStoredIssuer, type TrustedIssuer } from './trusted-issuer.ts';
import { findTrustedIssuer } from './trusted-issuers.ts';

/** The largest number of trusted issuers that are searched for an assertion without `kid`, in pages. */
const maxListed = 1_000;
const pageSize = 500;
/** The largest number of keys that are tried for one assertion without `kid`. */
const maxTried = 8;
/** Milliseconds for which the list is kept. */
const listedForMs = 5_000;
/**
 * How often the list is read again in that time for an issuer that it lacks. A new issuer is found at once, and clients
 * that name unknown issuers cause at most this number of reads.
 */
const maxReadAgain = 50;

interface Listed {
  readonly issuers: Promise<readonly TrustedIssuer[]>;
  readonly until: number;
}

const keyTypeOf = (alg: string): string => {
  if (/^[RP]S/.test(alg)) return 'RSA';
  return alg.startsWith('ES') ? 'EC' : 'OKP';
};

const fits = ({ issuer, subject, jwk }: TrustedIssuer, name: AssertionName): boolean =>
  issuer === name.issuer &&
  (subject === '' || subject === name.subject) &&
  jwk.kty === keyTypeOf(name.alg) &&
  (jwk.alg === undefined || jwk.alg === name.alg);

export interface AssertionKeysOptions extends Clock {
  readonly adapter: Pick<StorageAdapter, 'list'>;
}

type Read = (key: RecordKey) => Promise<FoundRecord | undefined>;

/**
 * Finds the trusted issuers, one for each key, that may verify an assertion. If the assertion has a `kid`, one read
 * finds the issuer. `kid` is optional (RFC 7515, section 4.1.4): without it, a limited number of the issuer's keys that
 * fit the algorithm are tried. The cached list only names keys. Each key is read again before it is used, so that a
 * removed issuer is no longer trusted.
 */
export const createAssertionKeys = ({ adapter, now }: AssertionKeysOptions) => {
  let listed: Listed | undefined;
  let readAgain = 0;

  const list = async (): Promise<readonly TrustedIssuer[]> => {
    const issuers: TrustedIssuer[] = [];
    for await (const records of listPages(adapter, { kind: 'trusted_issuer', limit: pageSize })) {
      issuers.push(...records.map(fromStoredIssuer));
      if (issuers.length >= maxListed) break;
    }
    return issuers;
  };

  const known = (): Promise<readonly TrustedIssuer[]> => {
    if (listed === undefined || listed.until <= now()) {
      const issuers = list();
      const entry = { issuers, until: now() + listedForMs };
      listed = entry;
      readAgain = 0;
      issuers.catch(() => {
        if (listed === entry) listed = undefined;
      });
    }
    return listed.issuers;
  };

  const kidsIn = (issuers: readonly TrustedIssuer[], name: AssertionName): readonly string[] => {
    const kids = issuers.filter((one) => fits(one, name)).map(({ jwk }) => jwk.kid);
    return [...new Set(kids)].slice(0, maxTried);
  };

  const kidsFor = async (name: AssertionName): Promise<readonly string[]> => {
    const kids = kidsIn(await known(), name);
    const entry = listed;
    if (kids.length > 0 || entry === undefined || readAgain >= maxReadAgain) return kids;
    readAgain += 1;
    const again = list();
    const read = kidsIn(await again, name);
    // Only in place of the list that it was read after: another may have failed or been read in the meantime.
    if (listed === entry) listed = { ...entry, issuers: again };
    return read;
  };

  return async (name: AssertionName, read: Read): Promise<readonly TrustedIssuer[]> => {
    const kids = name.kid === undefined ? await kidsFor(name) : [name.kid];
    const found = await Promise.all(kids.map((kid) => findTrustedIssuer(read, { ...name, kid })));
    return found.filter((one) => one !== undefined);
  };
};
