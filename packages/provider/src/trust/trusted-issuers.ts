import type { FoundRecord, RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import type { Clock } from '../clock.ts';
import { CarnetError } from '../errors.ts';
import { type Page, type PageQuery, pageOf } from '../storage/page.ts';
import type { RefuseOptions } from '../validation.ts';
import { parseTrustedIssuer, type TrustIssuer } from './issuer-arguments.ts';
import { fromStoredIssuer, type TrustedIssuer, toStoredIssuer, trustedIssuerKey } from './trusted-issuer.ts';

export interface TrustedIssuerQuery extends PageQuery {
  /** Only issuers with this `iss`. Pages may have fewer entries. */
  readonly issuer?: string;
}

/** The issuers whose assertions clients exchange for access tokens (RFC 7523, section 2.1). */
export interface TrustedIssuers {
  /**
   * Trusts an issuer for a subject, or for any, with a key.
   *
   * @throws CarnetError `conflict` if it is already trusted, `missing_required_parameter`, `invalid_request`
   */
  create(issuer: TrustIssuer): Promise<TrustedIssuer>;
  /** @throws CarnetError `not_found` */
  get(id: string): Promise<TrustedIssuer>;
  /** Ends the trust. The tokens that were issued stay valid. @throws CarnetError `not_found` */
  delete(id: string): Promise<void>;
  list(query?: TrustedIssuerQuery): Promise<Page<TrustedIssuer>>;
}

export interface TrustedIssuersDependencies extends Clock {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit' | 'list'>;
  readonly naming?: RefuseOptions;
}

const keyOf = (id: string): RecordKey => ({ kind: 'trusted_issuer', id });

const notFound = (): CarnetError => new CarnetError('not_found', '');

export const createTrustedIssuers = ({ adapter, naming = {}, now }: TrustedIssuersDependencies): TrustedIssuers => {
  const get = async (id: string): Promise<TrustedIssuer> => {
    const [found] = /^[A-Za-z0-9_-]{43}$/.test(id) ? await adapter.read([keyOf(id)]) : [];
    if (found === undefined) throw notFound();
    return fromStoredIssuer(found);
  };

  return {
    get,
    async create(sent) {
      const issuer = parseTrustedIssuer(sent, now(), naming);
      const conflict = await adapter.commit([{ type: 'claim', record: toStoredIssuer(issuer) }]);
      if (conflict === undefined) return issuer;
      throw new CarnetError('conflict', 'The issuer is trusted for this subject with this key already.');
    },
    async delete(id) {
      await get(id);
      await adapter.commit([{ type: 'remove', key: keyOf(id) }]);
    },
    async list({ issuer, ...page } = {}) {
      const { records, next } = await adapter.list({ kind: 'trusted_issuer', ...pageOf(page) });
      const issuers = records.map(fromStoredIssuer);
      return { items: issuers.filter((one) => !issuer || one.issuer === issuer), next };
    },
  };
};

/**
 * Finds the trusted issuers for the unverified members of an assertion. At most one round trip if `read` combines
 * reads.
 */
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
