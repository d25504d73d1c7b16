import type { FoundRecord, RecordKey, StorageAdapter, Write } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { isOfRegistration } from '../clients/registration.ts';
import { consentRequestIdOfGrant, grantIdOfConsentRequest } from '../flow/flow-id.ts';
import type { Redemptions } from '../flow/redemptions.ts';
import { words } from '../flow/words.ts';
import type { ConsentQuery, ConsentSession, Consents } from '../sessions/consent-session.ts';
import type { GrantPayload } from './code-and-grant.ts';
import { type ConsentPayload, type ConsentReference, consentKey, consentReferenceKey } from './remembered-consents.ts';
import { grantKey } from './token-value.ts';

export interface ConsentDependencies {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit' | 'list'>;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly redemptions: Pick<Redemptions, 'revocation'>;
}

/** Grants revoked by one commit, each with two writes. */
const grantsPerCommit = 50;
const pageSize = 100;

const kinds = { g: 'grant', c: 'consent' } as const;
type Phase = keyof typeof kinds;

/** A cursor names the kind that is being listed, and where: grants come first. */
const parseCursor = (after: string | undefined): { phase: Phase; cursor?: string } => {
  const phase = after?.startsWith('c:') ? 'c' : 'g';
  return { phase, cursor: after?.slice(2) || undefined };
};

type Details = Omit<ConsentSession, 'client' | 'subject' | 'consentRequestId'> & { readonly grantId: string };

const ofGrant = ({ payload, grantId = '' }: FoundRecord): Details => {
  const { scope, audience, requested, skip = false, ...rest } = JSON.parse(payload) as GrantPayload;
  const scopes = words(scope);
  return {
    ...rest,
    grantId,
    scopes,
    audience,
    skip,
    requestedScopes: requested ? words(requested.scope) : scopes,
    requestedAudience: requested ? words(requested.audience) : audience,
  };
};

const ofConsent = ({ payload, expiresAt }: FoundRecord): Details => {
  const { scopes, audience, handledAt, grantId = '', sid = '' } = JSON.parse(payload) as ConsentPayload;
  const rememberFor = expiresAt === null ? 0 : Math.round(expiresAt.getTime() / 1000) - handledAt;
  return {
    grantId,
    sid,
    scopes,
    audience,
    handledAt,
    rememberFor,
    skip: false,
    requestedScopes: scopes,
    requestedAudience: audience,
  };
};

export const createConsents = ({ adapter, clients, redemptions }: ConsentDependencies): Consents => {
  const readOne = async (key: RecordKey): Promise<FoundRecord | undefined> => (await adapter.read([key]))[0];

  /** Without those that a grant on an earlier page speaks for. */
  const withoutGrants = async (records: readonly FoundRecord[]): Promise<readonly Details[]> => {
    const details = records.map(ofConsent);
    if (details.length === 0) return [];
    const grants = await adapter.read(details.map(({ grantId }) => grantKey(grantId)));
    return details.filter((_, index) => grants[index] === undefined);
  };

  const toSession = async (record: FoundRecord, details: Details): Promise<ConsentSession | undefined> => {
    const { subject = '', clientId = '' } = record;
    const client = await clients.find(clientId);
    // What a client had that was registered under this id before is worth nothing.
    if (client === undefined || !isOfRegistration(client, details.handledAt)) return undefined;
    const { grantId, ...rest } = details;
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

  /** A remembered consent, and what leads to it. */
  const removal = (record: FoundRecord): readonly Write[] => [
    { type: 'remove', key: { kind: 'consent', id: record.id } },
    { type: 'remove', key: consentReferenceKey(ofConsent(record).grantId) },
  ];

  const pages = async function* (kind: 'grant' | 'consent', subject: string) {
    let after: string | undefined;
    do {
      const page: Awaited<ReturnType<StorageAdapter['list']>> = await adapter.list({
        kind,
        subject,
        limit: pageSize,
        after,
      });
      yield page.records;
      after = page.next;
    } while (after !== undefined);
  };

  const forget = async function* (subject: string, clientId: string | undefined) {
    if (clientId === undefined) {
      for await (const records of pages('consent', subject)) yield records.flatMap(removal);
      return;
    }
    const record = await readOne(consentKey(subject, clientId));
    if (record !== undefined) yield removal(record);
  };

  const commit = async (writes: readonly Write[]): Promise<void> => {
    if (writes.length > 0) await adapter.commit(writes);
  };

  return {
    list,
    async revoke(subject, clientId) {
      let writes: readonly Write[] = [];
      // First, so that no grant comes about meanwhile that nobody was asked for.
      for await (const removals of forget(subject, clientId)) {
        await commit(writes);
        writes = removals;
      }
      for await (const records of pages('grant', subject)) {
        const mine = records.filter((record) => clientId === undefined || record.clientId === clientId);
        for (let at = 0; at < mine.length; at += grantsPerCommit) {
          const some = mine.slice(at, at + grantsPerCommit);
          await commit([...writes, ...some.flatMap(({ grantId = '' }) => redemptions.revocation(grantId))]);
          writes = [];
        }
      }
      await commit(writes);
    },
    async revokeRequest(consentRequestId) {
      const grantId = grantIdOfConsentRequest(consentRequestId);
      if (grantId === undefined) return;
      const [grant, reference] = await adapter.read([grantKey(grantId), consentReferenceKey(grantId)]);
      const { subject, clientId }: Partial<ConsentReference> = grant ?? JSON.parse(reference?.payload ?? '{}');
      const remembered = subject && clientId ? await readOne(consentKey(subject, clientId)) : undefined;
      const isOfRequest = remembered !== undefined && ofConsent(remembered).grantId === grantId;
      // The mark that a revocation leaves keeps a code from being redeemed that is still on its way.
      await commit([...(isOfRequest ? removal(remembered) : []), ...redemptions.revocation(grantId)]);
    },
  };
};
