import type { FoundRecord, RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import type { AssertionName } from './assertion.ts';
import { fromStoredIssuer, type TrustedIssuer } from './trusted-issuer.ts';
import { findTrustedIssuer } from './trusted-issuers.ts';

/** The trusted issuers that are looked through for an assertion without `kid`, in pages. */
const maxListed = 1_000;
const pageSize = 500;
/** The keys that one assertion without `kid` is verified with, at most. */
const maxTried = 8;
/** Milliseconds for which the list is kept. */
const listedForMs = 5_000;
/**
 * How often in that time the list is read again for an issuer that is not in it. An issuer that was trusted a moment ago
 * is found at once, and clients that name unknown issuers cause no more than so many reads.
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

export interface AssertionKeysOptions {
  readonly adapter: Pick<StorageAdapter, 'list'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Read = (key: RecordKey) => Promise<FoundRecord | undefined>;

/**
 * Finds the issuers, one for each key, that an assertion may be verified with: by one read where the assertion has a
 * `kid`. `kid` is optional (RFC 7515, section 4.1.4): without it they are the keys of the issuer that fit the assertion's
 * algorithm, a bounded number of them. The kept list only names keys. Each is read again before it is used, so that an
 * issuer that was removed is trusted no more.
 */
export const createAssertionKeys = ({ adapter, now }: AssertionKeysOptions) => {
  let listed: Listed | undefined;
  let readAgain = 0;

  const list = async (): Promise<readonly TrustedIssuer[]> => {
    const issuers: TrustedIssuer[] = [];
    let after: string | undefined;
    do {
      const page = await adapter.list({ kind: 'trusted_issuer', limit: pageSize, after });
      issuers.push(...page.records.map(fromStoredIssuer));
      after = page.next;
    } while (after !== undefined && issuers.length < maxListed);
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
    if (kids.length > 0 || listed === undefined || readAgain >= maxReadAgain) return kids;
    readAgain += 1;
    const again = list();
    const read = kidsIn(await again, name);
    listed = { ...listed, issuers: again };
    return read;
  };

  return async (name: AssertionName, read: Read): Promise<readonly TrustedIssuer[]> => {
    const kids = name.kid === undefined ? await kidsFor(name) : [name.kid];
    const found = await Promise.all(kids.map((kid) => findTrustedIssuer(read, { ...name, kid })));
    return found.filter((one) => one !== undefined);
  };
};
