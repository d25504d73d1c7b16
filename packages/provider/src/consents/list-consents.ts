import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { findOrUnread } from '../clients/find-or-unread.ts';
import { isOfRegistration } from '../clients/registration-id.ts';
import { consentRequestIdOfGrant } from '../flow/flow-id.ts';
import { grantKey } from '../tokens/token-value.ts';
import { type ConsentDetails, ofConsent, ofGrant } from './consent-details.ts';
import type { ConsentQuery, ConsentSession, Consents } from './consent-session.ts';

export interface ListConsentsDependencies {
  readonly adapter: Pick<StorageAdapter, 'read' | 'list'>;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
}

const kinds = { g: 'grant', c: 'consent' } as const;
type Phase = keyof typeof kinds;

/** A cursor names the kind that is being listed, and where: grants come first. */
const parseCursor = (after: string | undefined): { phase: Phase; cursor?: string } => {
  const phase = after?.startsWith('c:') ? 'c' : 'g';
  return { phase, cursor: after?.slice(2) || undefined };
};

/** Lists the consents of a subject: those of grants, and remembered ones whose grant is gone. */
export const createListConsents = ({ adapter, clients }: ListConsentsDependencies): Consents['list'] => {
  /** Without those that a grant on an earlier page speaks for. */
  const withoutGrants = async (records: readonly FoundRecord[]): Promise<readonly ConsentDetails[]> => {
    const details = records.map(ofConsent);
    if (details.length === 0) return [];
    const grants = await adapter.read(details.map(({ grantId }) => grantKey(grantId)));
    return details.filter((_, index) => grants[index] === undefined);
  };

  const toSession = async (record: FoundRecord, details: ConsentDetails): Promise<ConsentSession | undefined> => {
    const { subject = '', clientId = '' } = record;
    const client = await findOrUnread(clients, clientId);
    // What a client had that was registered under this id before is worth nothing.
    if (client === undefined || !isOfRegistration(client, details)) return undefined;
    const { grantId, registration: _, ...rest } = details;
    return { ...rest, client, subject, consentRequestId: consentRequestIdOfGrant(grantId) };
  };

  const listPhase = async (phase: Phase, { subject, limit }: ConsentQuery, after: string | undefined) => {
    const { records, next } = await adapter.list({ kind: kinds[phase], subject, limit, after });
    const details = phase === 'g' ? records.map(ofGrant) : await withoutGrants(records);
    const byGrant = new Map(details.map((each) => [each.grantId, each]));
    const found = records.map((record) => {
      const { grantId } = phase === 'g' ? record : ofConsent(record);
      const known = byGrant.get(grantId ?? '');
      return known && toSession(record, known);
    });
    return { sessions: (await Promise.all(found)).filter((each) => each !== undefined), next };
  };

  const list = async (query: ConsentQuery): Promise<Awaited<ReturnType<Consents['list']>>> => {
    const { phase, cursor } = parseCursor(query.after);
    const { sessions, next } = await listPhase(phase, query, cursor);
    const shown = query.sid === undefined ? sessions : sessions.filter(({ sid }) => sid === query.sid);
    if (next !== undefined) return { sessions: shown, next: `${phase}:${next}` };
    if (phase === 'c') return { sessions: shown };
    if (sessions.length >= query.limit) return { sessions: shown, next: 'c:' };
    const rest = await list({ ...query, limit: query.limit - sessions.length, after: 'c:' });
    return { ...rest, sessions: [...shown, ...rest.sessions] };
  };

  return list;
};
