import type { FoundRecord, RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import { CarnetError } from '../errors.ts';
import { fromStoredIssuer, type TrustedIssuer, toStoredIssuer, trustedIssuerKey } from './trusted-issuer.ts';

export type { TrustedIssuer } from './trusted-issuer.ts';

export interface TrustedIssuerPage {
  readonly issuers: readonly TrustedIssuer[];
  /** Where the next page starts; absent on the last one. */
  readonly next?: string;
}

/** The issuers that administrators have named. */
export interface TrustedIssuers {
  /** @throws CarnetError `conflict` when the issuer is trusted for that subject with that key already */
  create(issuer: TrustedIssuer): Promise<void>;
  /** @throws CarnetError `not_found` */
  get(id: string): Promise<TrustedIssuer>;
  /** @throws CarnetError `not_found` */
  remove(id: string): Promise<void>;
  /** With `issuer` only those of that name, which may leave a page short. */
  list(query: {
    readonly limit: number;
    readonly after?: string;
    readonly issuer?: string;
  }): Promise<TrustedIssuerPage>;
}

const keyOf = (id: string): RecordKey => ({ kind: 'trusted_issuer', id });

const notFound = (): CarnetError => new CarnetError('not_found', '');

export const createTrustedIssuers = (adapter: Pick<StorageAdapter, 'read' | 'commit' | 'list'>): TrustedIssuers => {
  const get = async (id: string): Promise<TrustedIssuer> => {
    const [found] = /^[A-Za-z0-9_-]{43}$/.test(id) ? await adapter.read([keyOf(id)]) : [];
    if (found === undefined) throw notFound();
    return fromStoredIssuer(found);
  };

  return {
    get,
    async create(issuer) {
      const conflict = await adapter.commit([{ type: 'claim', record: toStoredIssuer(issuer) }]);
      if (conflict !== undefined)
        throw new CarnetError('conflict', 'The issuer is trusted for this subject with this key already.');
    },
    async remove(id) {
      await get(id);
      await adapter.commit([{ type: 'remove', key: keyOf(id) }]);
    },
    async list({ limit, after, issuer }) {
      const page = await adapter.list({ kind: 'trusted_issuer', limit, after });
      const issuers = page.records.map(fromStoredIssuer);
      return { issuers: issuers.filter((one) => !issuer || one.issuer === issuer), next: page.next };
    },
  };
};

/** Who trusts what an assertion says of itself: at most one round trip, if `read` gathers what is asked at once. */
export const findTrustedIssuer = async (
  read: (key: RecordKey) => Promise<FoundRecord | undefined>,
  { issuer, subject, kid }: { readonly issuer: string; readonly subject: string; readonly kid: string },
): Promise<TrustedIssuer | undefined> => {
  const [one, any] = await Promise.all([
    read(trustedIssuerKey(issuer, subject, kid)),
    read(trustedIssuerKey(issuer, '', kid)),
  ]);
  const found = one ?? any;
  return found && fromStoredIssuer(found);
};
