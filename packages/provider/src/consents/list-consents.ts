import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { findOrUnread } from '../clients/find-or-unread.ts';
import { isOfRegistration } from '../clients/registration-id.ts';
import { consentRequestIdOfGrant } from '../flow/flow-id.ts';
import { oidcContext } from '../flow/oidc-context.ts';
import { restartUrl } from '../flow/urls.ts';
import { type Page, pageOf } from '../storage/page.ts';
import { grantKey } from '../tokens/token-value.ts';
import type { Consent, ConsentQuery } from './consent.ts';
import { type ConsentDetails, ofConsent, ofGrant } from './consent-details.ts';

export interface ListConsentsDependencies {
  readonly issuer: string;
  readonly adapter: Pick<StorageAdapter, 'read' | 'list'>;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
}

const kinds = { g: 'grant', c: 'consent' } as const;
type Phase = keyof typeof kinds;

/** A cursor is the phase (`g`: grants, which come first; `c`: remembered consents), a colon, and the store's cursor. */
const parseCursor = (after: string | undefined): { phase: Phase; cursor?: string } => {
  const phase = after?.startsWith('c:') ? 'c' : 'g';
  return { phase, cursor: after?.slice(2) || undefined };
};

const requestOf = (issuer: string, { request }: ConsentDetails): Consent['request'] =>
  request && {
    loginRequestId: request.loginChallenge,
    oidcContext: oidcContext(request.params, request.hintClaims),
    requestUrl: restartUrl(issuer, request),
    context: request.context,
  };

type BoundedQuery = ConsentQuery & { readonly limit: number };

/** Lists the consents of a subject: first those of grants, then the remembered ones whose grant has ended. */
export const createListConsents = ({ issuer, adapter, clients }: ListConsentsDependencies) => {
  /** Leaves out the consents whose grant an earlier page has listed. */
  const withoutGrants = async (records: readonly FoundRecord[]): Promise<readonly ConsentDetails[]> => {
    const details = records.map(ofConsent);
    if (details.length === 0) return [];
    const grants = await adapter.read(details.map(({ grantId }) => grantKey(grantId)));
    return details.filter((_, index) => grants[index] === undefined);
  };

  const consentOf = async (record: FoundRecord, details: ConsentDetails): Promise<Consent | undefined> => {
    const { subject = '', clientId = '' } = record;
    const client = await findOrUnread(clients, clientId);
    // A client that is registered again under an id has none of the consents of the former client.
    if (client === undefined || !isOfRegistration(client, details)) return undefined;
    const { grantId, registration: _, sid, handledAt, idToken, accessToken, ...rest } = details;
    return {
      ...rest,
      consentRequestId: consentRequestIdOfGrant(grantId),
      client: client.metadata,
      subject,
      sessionId: sid,
      handledAt: new Date(handledAt * 1000),
      claims: { idToken, accessToken },
      request: requestOf(issuer, details),
    };
  };

  const listPhase = async (phase: Phase, { subject, limit }: BoundedQuery, after: string | undefined) => {
    const { records, next } = await adapter.list({ kind: kinds[phase], subject, limit, after });
    const details = phase === 'g' ? records.map(ofGrant) : await withoutGrants(records);
    const byGrant = new Map(details.map((each) => [each.grantId, each]));
    const found = records.map((record) => {
      const { grantId } = phase === 'g' ? record : ofConsent(record);
      const known = byGrant.get(grantId ?? '');
      return known && consentOf(record, known);
    });
    return { items: (await Promise.all(found)).filter((each) => each !== undefined), next };
  };

  const list = async (query: BoundedQuery): Promise<Page<Consent>> => {
    const { phase, cursor } = parseCursor(query.after);
    const { items, next } = await listPhase(phase, query, cursor);
    const { sessionId } = query;
    const shown = sessionId === undefined ? items : items.filter((consent) => consent.sessionId === sessionId);
    if (next !== undefined) return { items: shown, next: `${phase}:${next}` };
    if (phase === 'c') return { items: shown };
    if (items.length >= query.limit) return { items: shown, next: 'c:' };
    const rest = await list({ ...query, limit: query.limit - items.length, after: 'c:' });
    return { ...rest, items: [...shown, ...rest.items] };
  };

  return (query: ConsentQuery): Promise<Page<Consent>> => list({ ...query, ...pageOf(query) });
};
