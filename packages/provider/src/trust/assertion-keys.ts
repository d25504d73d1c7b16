import type { FoundRecord, RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import type { Clock } from '../clock.ts';
import { listPages } from '../storage/page.ts';
import type { AssertionName } from './assertion.ts';
import { fromStoredIssuer, type TrustedIssuer, trustedIssuerKey } from './trusted-issuers.ts';

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
  issuers: Promise<readonly TrustedIssuer[]>;
  readonly until: number;
  readsLeft: number;
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

type Read = (key: RecordKey) => Promise<FoundRecord | undefined>;

/** The trusted issuer with the key that an assertion names. At most one round trip if `read` combines reads. */
const findTrustedIssuer = async (
  read: Read,
  { issuer, subject }: AssertionName,
  kid: string,
): Promise<TrustedIssuer | undefined> => {
  const [one, any] = await Promise.all([
    read(trustedIssuerKey(issuer, subject, kid)),
    read(trustedIssuerKey(issuer, '', kid)),
  ]);
  const found = one ?? any;
  return found && fromStoredIssuer(found);
};

/**
 * Finds the trusted issuers, one for each key, that may verify an assertion. If the assertion has a `kid`, one read
 * finds the issuer. `kid` is optional (RFC 7515, section 4.1.4): without it, a limited number of the issuer's keys that
 * fit the algorithm are tried. The cached list only names keys. Each key is read again before it is used, so that a
 * removed issuer is no longer trusted.
 */
export const createAssertionKeys = ({ adapter, now }: Clock & { readonly adapter: Pick<StorageAdapter, 'list'> }) => {
  let listed: Listed | undefined;

  const list = async (): Promise<readonly TrustedIssuer[]> => {
    const issuers: TrustedIssuer[] = [];
    for await (const records of listPages(adapter, { kind: 'trusted_issuer', limit: pageSize })) {
      issuers.push(...records.map(fromStoredIssuer));
      if (issuers.length >= maxListed) break;
    }
    return issuers;
  };

  const currentList = (): Listed => {
    if (listed !== undefined && listed.until > now()) return listed;
    const entry = { issuers: list(), until: now() + listedForMs, readsLeft: maxReadAgain };
    listed = entry;
    entry.issuers.catch(() => {
      if (listed === entry) listed = undefined;
    });
    return entry;
  };

  const kidsIn = (issuers: readonly TrustedIssuer[], name: AssertionName): readonly string[] => {
    const kids = issuers.filter((one) => fits(one, name)).map(({ jwk }) => jwk.kid);
    return [...new Set(kids)].slice(0, maxTried);
  };

  const kidsFor = async (name: AssertionName): Promise<readonly string[]> => {
    const entry = currentList();
    const kids = kidsIn(await entry.issuers, name);
    if (kids.length > 0 || entry.readsLeft <= 0) return kids;
    entry.readsLeft -= 1;
    const again = list();
    const read = kidsIn(await again, name);
    // A list that failed or was replaced in the meantime is not used again.
    entry.issuers = again;
    return read;
  };

  return async (name: AssertionName, read: Read): Promise<readonly TrustedIssuer[]> => {
    const kids = name.kid === undefined ? await kidsFor(name) : [name.kid];
    const found = await Promise.all(kids.map((kid) => findTrustedIssuer(read, name, kid)));
    return found.filter((one) => one !== undefined);
  };
};
