import { atMost, createSingleFlight } from '@carnet/adapter-contract/kit';
import { LRUCache } from 'lru-cache';
import { type ClientBuilderDependencies, timestamp } from '../../clients/client-builder.ts';
import { type ClientRecord, clientMetadata, type OpenResource } from '../../clients/client-record.ts';
import type { ClientStore } from '../../clients/client-store.ts';
import { documentRegistrationId } from '../../clients/registration-id.ts';
import { CarnetError } from '../../errors.ts';
import type { OutboundClient, OutboundResponse } from '../../outbound/outbound-client.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import type { Audit } from '../../telemetry/audit.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { isHostAllowed, type RegistrationPolicy, type RegistrationTerms } from '../policy.ts';
import { notTheDocument, parseDocument, refuseDocument } from './client-document.ts';
import { isDocumentUrl } from './document-url.ts';
import { createFetchShares, type FetchSharesOptions } from './fetch-shares.ts';
import { type FreshnessBounds, freshSeconds } from './freshness.ts';

/** Twice the size that the draft recommends (section 8.7). */
const maxDocumentBytes = 10_240;

export interface DocumentClientsOptions extends FreshnessBounds, Pick<FetchSharesOptions, 'callerNetwork'> {
  /** Hosts of documents. Absent: all. */
  readonly allowedHosts?: readonly string[];
  readonly maxDocuments: number;
  readonly maxFetchesPerMinute: number;
  readonly terms: RegistrationTerms;
  readonly policy: RegistrationPolicy;
  readonly validateMetadata: ClientBuilderDependencies['validateMetadata'];
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly openResources: readonly OpenResource[];
  readonly audit: Audit;
  readonly logger: Pick<Logger, 'info'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Kept {
  readonly record: ClientRecord;
  readonly text: string;
  /** Milliseconds since 1970: fetched again from then on. */
  readonly freshUntil: number;
  /** Milliseconds since 1970: until then the document is used while its host can't be reached. */
  readonly usableUntil: number;
}

const unavailable = (cause?: unknown): CarnetError =>
  new CarnetError('client_document_unavailable', "The client's metadata document could not be fetched. Try again.", {
    cause,
  });

const isTransient = (status: number): boolean => status >= 500 || status === 429;

/** Requests a document, once the limits allow it. */
const requestDocument = async (
  outbound: DocumentClientsOptions['outbound'],
  url: string,
): Promise<OutboundResponse> => {
  const headers = { accept: 'application/json' };
  const answer = await outbound
    .send({ url, purpose: 'client_document', headers, maxBytes: maxDocumentBytes })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      throw error.reason === 'too_large' ? notTheDocument('it is too large') : unavailable(error);
    });
  if (isTransient(answer.status)) throw unavailable(new Error(`status ${answer.status}`));
  if (answer.status !== 200) throw notTheDocument(`status ${answer.status}`);
  return answer;
};

const recordOf = async (
  { terms, policy, validateMetadata, openResources: open, now }: DocumentClientsOptions,
  id: string,
  text: string,
): Promise<ClientRecord> => {
  try {
    const registered = parseDocument(text, id, terms);
    await policy(registered);
    const metadata = clientMetadata(id, registered, timestamp(now()));
    await validateMetadata(metadata);
    return { id, metadata, secrets: [], registration: documentRegistrationId, open };
  } catch (error) {
    if (!(error instanceof CarnetError && error.code === 'invalid_client_metadata')) throw error;
    throw refuseDocument(error.description, error);
  }
};

/** Clients whose id is the URL of their metadata document. Invalid documents and failures are never cached. */
export const createDocumentClients = (options: DocumentClientsOptions): Pick<ClientStore, 'find'> => {
  const { allowedHosts, maxSeconds, outbound, audit, logger, now } = options;
  const kept = new LRUCache<string, Kept>(atMost(options.maxDocuments));
  const limits = { ...options, perMinute: options.maxFetchesPerMinute };
  const takeFetch = createFetchShares(limits);
  // A limit of its own: a flood of invented ids must not keep a document in use that its author has changed or removed.
  const takeRefresh = createFetchShares(limits);

  const fetchDocument = async (id: string): Promise<ClientRecord> => {
    const limit = kept.has(id) ? takeRefresh(id) : takeFetch(id);
    if (limit !== undefined) throw unavailable(new Error(limit));
    const answer = await requestDocument(outbound, id);
    const before = kept.get(id);
    // The same text gives the same record object: caches elsewhere are keyed by that object.
    const record = before?.text === answer.body ? before.record : await recordOf(options, id, answer.body);
    const at = now();
    const freshUntil = at + freshSeconds(answer.headers, at, options) * 1000;
    kept.set(id, { record, text: answer.body, freshUntil, usableUntil: at + maxSeconds * 1000 });
    if (record !== before?.record) audit({ action: 'client.document', outcome: 'success', clientId: id });
    return record;
  };

  const settle = (id: string, error: CarnetError): ClientRecord => {
    const problem = error.cause instanceof Error ? error.cause.message : error.description;
    logger.info({ clientId: id, problem }, 'client metadata document');
    const before = kept.get(id);
    if (error.code === 'client_document_unavailable' && before && now() < before.usableUntil) return before.record;
    if (error.code === 'client_document_invalid') kept.delete(id);
    audit({ action: 'client.document', outcome: 'denied', reason: error.code, clientId: id });
    throw error;
  };

  const fetches = createSingleFlight((id: string) =>
    fetchDocument(id).catch((error: unknown) => {
      if (error instanceof CarnetError) return settle(id, error);
      throw error;
    }),
  );

  return {
    find: async (id) => {
      if (!isDocumentUrl(id)) return undefined;
      if (allowedHosts !== undefined && !isHostAllowed(id, allowedHosts))
        throw refuseDocument('this server accepts no clients from this host.');
      const known = kept.get(id);
      return known !== undefined && now() < known.freshUntil ? known.record : fetches.running(id);
    },
  };
};

/** A store that finds these clients too. A client that an administrator registered under such an id comes first. */
export const withDocuments = (store: ClientStore, documents: Pick<ClientStore, 'find'>): ClientStore => ({
  ...store,
  find: async (id) => (await store.find(id)) ?? documents.find(id),
});
