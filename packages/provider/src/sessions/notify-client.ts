import type { ClientRecord } from '../clients/client-record.ts';
import { documentProblemIn } from '../clients/find-or-unread.ts';
import { CarnetError } from '../errors.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { PendingLogout } from './delivery-record.ts';
import type { SignLogoutToken } from './logout-token.ts';

/** The result of an attempt. Only `failed` is tried again; `reason` is a code. */
export type AttemptResult =
  | { readonly status: 'delivered' | 'not_subscribed' }
  | { readonly status: 'refused' | 'failed'; readonly reason: string };

export interface NotifyDependencies {
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly sign: SignLogoutToken;
}

/** Back-Channel Logout 1.0, section 2.8: 200 means success. Some frameworks send 204. 400 is final. */
const resultOf = (status: number): AttemptResult => {
  if (status === 200 || status === 204) return { status: 'delivered' };
  return { status: status === 400 ? 'refused' : 'failed', reason: `http_${status}` };
};

const send = async (
  { clients, outbound, sign }: NotifyDependencies,
  pending: PendingLogout,
  signal: AbortSignal,
): Promise<AttemptResult> => {
  const client = await clients.find(pending.clientId);
  const url = client?.metadata.backchannel_logout_uri;
  if (client === undefined || url === undefined) return { status: 'not_subscribed' };
  const body = new URLSearchParams({ logout_token: await sign(client, pending) }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await outbound.send({ url, method: 'POST', headers, body, purpose: 'backchannel_logout', signal });
  return resultOf(answer.status);
};

/**
 * Sends a logout token to a client (Back-Channel Logout 1.0, section 2.5).
 * @throws what `clients.find` throws when the store does not answer
 */
export const notifyClient = async (
  deps: NotifyDependencies,
  pending: PendingLogout,
  signal: AbortSignal,
): Promise<AttemptResult> => {
  try {
    return await send(deps, pending, signal);
  } catch (error) {
    if (error instanceof OutboundError) return { status: 'failed', reason: error.reason };
    if (error instanceof CarnetError && error.code === 'signer_unavailable')
      return { status: 'failed', reason: error.code };
    const problem = documentProblemIn(error);
    if (problem === 'invalid') return { status: 'not_subscribed' };
    if (problem === 'unavailable') return { status: 'failed', reason: 'client_document_unavailable' };
    throw error;
  }
};
