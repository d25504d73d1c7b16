import type { ClientRecord } from '../clients/client-record.ts';
import { documentProblemIn } from '../clients/find-or-unread.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { PendingLogout } from './delivery-record.ts';
import type { SignLogoutToken } from './logout-token.ts';

/** What came of an attempt: `failed` is tried again, with why as a code. */
export type Told =
  | { readonly status: 'told' | 'unconcerned' }
  | { readonly status: 'refused' | 'failed'; readonly reason: string };

export interface TellDependencies {
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly sign: SignLogoutToken;
}

/** Back-Channel Logout 1.0, section 2.8: 200, or 204 of frameworks that know no better; 400 is an answer as well. */
const judge = (status: number): Told => {
  if (status === 200 || status === 204) return { status: 'told' };
  return { status: status === 400 ? 'refused' : 'failed', reason: `http_${status}` };
};

const send = async (
  { clients, outbound, sign }: TellDependencies,
  pending: PendingLogout,
  signal: AbortSignal,
): Promise<Told> => {
  const client = await clients.find(pending.clientId);
  const url = client?.metadata.backchannel_logout_uri;
  if (client === undefined || url === undefined) return { status: 'unconcerned' };
  const body = new URLSearchParams({ logout_token: await sign(client, pending) }).toString();
  const { status } = await outbound.send({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
    purpose: 'backchannel_logout',
    signal,
  });
  return judge(status);
};

/** Back-Channel Logout 1.0, section 2.5. Throws when the store of the clients does not answer. */
export const tellClient = async (
  deps: TellDependencies,
  pending: PendingLogout,
  signal: AbortSignal,
): Promise<Told> => {
  try {
    return await send(deps, pending, signal);
  } catch (error) {
    if (error instanceof OutboundError) return { status: 'failed', reason: error.reason };
    const problem = documentProblemIn(error);
    if (problem === 'invalid') return { status: 'unconcerned' };
    if (problem === 'unavailable') return { status: 'failed', reason: 'client_document_unavailable' };
    throw error;
  }
};
