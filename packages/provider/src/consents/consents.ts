import type { FoundRecord, RecordKey, StorageAdapter, Write } from '@carnet/adapter-contract';
import { CarnetError } from '../errors.ts';
import { grantIdOfConsentRequest } from '../flow/flow-id.ts';
import type { Redemptions } from '../flow/redemptions.ts';
import { grantKey } from '../tokens/token-value.ts';
import { assertSubject, type Refuse } from '../validation.ts';
import type { Consents } from './consent.ts';
import { ofConsent } from './consent-details.ts';
import { createListConsents, type ListConsentsDependencies } from './list-consents.ts';
import { type ConsentReference, consentKey, consentReferenceKey } from './remembered-consents.ts';

export interface ConsentDependencies extends ListConsentsDependencies {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit' | 'list'>;
  readonly redemptions: Pick<Redemptions, 'revocation'>;
  readonly refuse: Refuse;
}

const ambiguous = 'Select consents by subject and client, by subject and all, or by consent request id alone.';
/** Grants revoked by one commit, each with two writes. */
const grantsPerCommit = 50;
const pageSize = 100;

export const createConsents = ({ issuer, adapter, clients, redemptions, refuse }: ConsentDependencies): Consents => {
  const list = createListConsents({ issuer, adapter, clients });
  const readOne = async (key: RecordKey): Promise<FoundRecord | undefined> => (await adapter.read([key]))[0];

  /** The writes that remove a remembered consent and its reference. */
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

  const revokeGrants = async (subject: string, clientId: string | undefined): Promise<void> => {
    let writes: readonly Write[] = [];
    // Remembered consents first, so that none of them creates a grant in the meantime.
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
  };

  const revokeRequest = async (consentRequestId: string): Promise<void> => {
    const grantId = grantIdOfConsentRequest(consentRequestId);
    if (grantId === undefined) return;
    const [grant, reference] = await adapter.read([grantKey(grantId), consentReferenceKey(grantId)]);
    const { subject, clientId }: Partial<ConsentReference> = grant ?? JSON.parse(reference?.payload ?? '{}');
    const remembered = subject && clientId ? await readOne(consentKey(subject, clientId)) : undefined;
    const isOfRequest = remembered !== undefined && ofConsent(remembered).grantId === grantId;
    // The redemption record that a revocation writes refuses a code that the client has not redeemed yet.
    await commit([...(isOfRequest ? removal(remembered) : []), ...redemptions.revocation(grantId)]);
  };

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
      if (isOneRequest) await revokeRequest(consentRequestId);
      else if (isOfSubject) await revokeGrants(subject, clientId);
      // A caller that omits `clientId` by mistake must not revoke the consents of all clients: that requires `all`.
      else throw new CarnetError('invalid_request', ambiguous);
    },
  };
};
