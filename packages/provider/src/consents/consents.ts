import type { FoundRecord, StorageAdapter, Write } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { findOrUnread } from '../clients/find-or-unread.ts';
import { isOfRegistration } from '../clients/registration-id.ts';
import { CarnetError } from '../errors.ts';
import { consentRequestIdOfGrant, grantIdOfConsentRequest } from '../flow/flow-id.ts';
import { oidcContext } from '../flow/oidc-context.ts';
import type { Redemptions } from '../flow/redemptions.ts';
import { restartUrl } from '../flow/urls.ts';
import { listPages, type Page, pageOf } from '../storage/page.ts';
import { spaceDelimited, spaceDelimitedAll } from '../text/space-delimited.ts';
import { type GrantPayload, readGrant } from '../tokens/grant-details.ts';
import { grantKey } from '../tokens/token-value.ts';
import { assertSubject, type Refuse } from '../validation.ts';
import type { Consent, ConsentQuery, Consents } from './consent.ts';
import { consentKey, consentReferenceKey, readConsent, readConsentReference } from './remembered-consents.ts';

/** The members of a consent that its record holds. */
type ConsentDetails = Pick<Consent, 'subject' | 'scopes' | 'requestedScopes' | 'requestedAudience' | 'skip'> &
  Omit<GrantPayload, 'scope' | 'skip'> & { readonly clientId: string; readonly grantId: string };

/** The requested values. A record without its request shows the granted ones in their place. */
const requestedIn = (
  request: GrantPayload['request'],
  granted: Pick<Consent, 'scopes' | 'audience'>,
): Pick<Consent, 'requestedScopes' | 'requestedAudience'> => {
  if (request === undefined) return { requestedScopes: granted.scopes, requestedAudience: granted.audience };
  const { scope, audience, resource } = request.params;
  return { requestedScopes: spaceDelimited(scope), requestedAudience: spaceDelimitedAll([audience, resource]) };
};

/** The consent in the record of a grant. */
const ofGrant = (record: FoundRecord): ConsentDetails => {
  const { subject = '', clientId = '', grantId = '' } = record;
  const { scope, audience, skip = false, ...rest } = readGrant(record);
  const granted = { scopes: spaceDelimited(scope), audience };
  return { ...rest, ...granted, subject, clientId, grantId, skip, ...requestedIn(rest.request, granted) };
};

/** The consent in the record of a remembered consent. */
const ofConsent = (record: FoundRecord): ConsentDetails => {
  const { subject = '', clientId = '', expiresAt } = record;
  const { grantId = '', sid = '', ...rest } = readConsent(record);
  const rememberFor = expiresAt === null ? 0 : Math.round(expiresAt.getTime() / 1000) - rest.handledAt;
  return { ...rest, subject, clientId, grantId, sid, rememberFor, skip: false, ...requestedIn(rest.request, rest) };
};

export interface ConsentDependencies {
  readonly issuer: string;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit' | 'list'>;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly redemptions: Pick<Redemptions, 'revocation'>;
  readonly refuse: Refuse;
}

const kinds = { g: 'grant', c: 'consent' } as const;
type Phase = keyof typeof kinds;

/** A cursor is the phase (`g`: grants, which come first; `c`: remembered consents), a colon, and the store's cursor. */
const parseCursor = (after: string | undefined): { phase: Phase; cursor?: string } => {
  const phase = after?.startsWith('c:') ? 'c' : 'g';
  return { phase, cursor: after?.slice(2) || undefined };
};

type BoundedQuery = ConsentQuery & { readonly limit: number };

/** Lists the consents of a subject: first those of grants, then the remembered ones whose grant has ended. */
const createListConsents = ({ issuer, adapter, clients }: ConsentDependencies) => {
  /** Leaves out the consents whose grant an earlier page has listed. */
  const withoutGrants = async (all: readonly ConsentDetails[]): Promise<readonly ConsentDetails[]> => {
    if (all.length === 0) return [];
    const grants = await adapter.read(all.map(({ grantId }) => grantKey(grantId)));
    return all.filter((_, index) => grants[index] === undefined);
  };

  const consentOf = async (details: ConsentDetails): Promise<Consent | undefined> => {
    const client = await findOrUnread(clients, details.clientId);
    // A client that is registered again under an id has none of the consents of the former client.
    if (client === undefined || !isOfRegistration(client, details)) return undefined;
    const { clientId: _, registration: __, grantId, sid, handledAt, idToken, accessToken, request, ...rest } = details;
    return {
      ...rest,
      consentRequestId: consentRequestIdOfGrant(grantId),
      client: client.metadata,
      sessionId: sid,
      handledAt: new Date(handledAt * 1000),
      claims: { idToken, accessToken },
      request: request && {
        loginRequestId: request.loginChallenge,
        oidcContext: oidcContext(request.params, request.hintClaims),
        requestUrl: restartUrl(issuer, request),
        context: request.context,
      },
    };
  };

  const listPhase = async (phase: Phase, { subject, limit }: BoundedQuery, after: string | undefined) => {
    const { records, next } = await adapter.list({ kind: kinds[phase], subject, limit, after });
    const details = phase === 'g' ? records.map(ofGrant) : await withoutGrants(records.map(ofConsent));
    const found = await Promise.all(details.map(consentOf));
    return { items: found.filter((each) => each !== undefined), next };
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

const ambiguous = 'Select consents by subject and client, by subject and all, or by consent request id alone.';
/** Grants and as many consents in one commit: DynamoDB takes 100 writes. It needs two for a grant, and three for a consent. */
const perCommit = 20;

/** The writes that remove a remembered consent and its reference. */
const removal = (record: FoundRecord): readonly Write[] => [
  { type: 'remove', key: { kind: 'consent', id: record.id } },
  { type: 'remove', key: consentReferenceKey(ofConsent(record).grantId) },
];

const createRevokeConsents = ({ adapter, redemptions }: ConsentDependencies) => {
  const remembered = async function* (subject: string, clientId: string | undefined) {
    if (clientId === undefined) yield* listPages(adapter, { kind: 'consent', subject, limit: perCommit });
    else yield (await adapter.read([consentKey(subject, clientId)])).filter((found) => found !== undefined);
  };

  const commit = async (writes: readonly Write[]): Promise<void> => {
    if (writes.length > 0) await adapter.commit(writes);
  };

  return {
    async ofSubject(subject: string, clientId: string | undefined): Promise<void> {
      let writes: readonly Write[] = [];
      // Remembered consents first, so that none of them creates a grant in the meantime.
      for await (const records of remembered(subject, clientId)) {
        await commit(writes);
        writes = records.flatMap(removal);
      }
      // The last removals are in the commit of the first grants: there is at least one page, which may be empty.
      for await (const records of listPages(adapter, { kind: 'grant', subject, limit: perCommit })) {
        const mine = records.filter((record) => clientId === undefined || record.clientId === clientId);
        await commit([...writes, ...mine.flatMap(({ grantId = '' }) => redemptions.revocation(grantId))]);
        writes = [];
      }
    },
    async ofRequest(consentRequestId: string): Promise<void> {
      const grantId = grantIdOfConsentRequest(consentRequestId);
      if (grantId === undefined) return;
      const [grant, reference] = await adapter.read([grantKey(grantId), consentReferenceKey(grantId)]);
      const { subject, clientId } = grant ?? (reference ? readConsentReference(reference) : {});
      const [latest] = subject && clientId ? await adapter.read([consentKey(subject, clientId)]) : [];
      const isOfRequest = latest !== undefined && ofConsent(latest).grantId === grantId;
      // The redemption record that a revocation writes refuses a code that the client has not redeemed yet.
      await commit([...(isOfRequest ? removal(latest) : []), ...redemptions.revocation(grantId)]);
    },
  };
};

export const createConsents = (deps: ConsentDependencies): Consents => {
  const { refuse } = deps;
  const list = createListConsents(deps);
  const revoke = createRevokeConsents(deps);

  return {
    list: async (query) => {
      assertSubject(query.subject, refuse);
      return list(query);
    },
    async revoke(which: { subject?: string; clientId?: string; all?: boolean; consentRequestId?: string }) {
      const { subject, clientId, all = false, consentRequestId } = which;
      if (subject !== undefined) assertSubject(subject, refuse);
      const isOneRequest = consentRequestId !== undefined && subject === undefined && clientId === undefined;
      const isOfSubject = consentRequestId === undefined && subject !== undefined && (clientId === undefined) === all;
      if (isOneRequest) await revoke.ofRequest(consentRequestId);
      else if (isOfSubject) await revoke.ofSubject(subject, clientId);
      // A caller that omits `clientId` by mistake must not revoke the consents of all clients: that requires `all`.
      else throw new CarnetError('invalid_request', ambiguous);
    },
  };
};
