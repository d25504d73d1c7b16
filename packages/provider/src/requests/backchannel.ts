import { readJws } from '@carnet/signer-contract/jws';
import type { ClientRecord, OAuth2Client } from '../clients/client-record.ts';
import { CarnetError } from '../errors.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { type AnsweringFlow, decisionRecord } from '../flow/polled-requests.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { parseWith } from '../validation.ts';
import { type AcceptBackchannel, acceptBackchannel, type RejectRequest } from './arguments.ts';
import { clientIdOf, existing, notFound, type RequestsDependencies } from './challenge.ts';
import { decideConsent, decideRejection } from './decisions.ts';

export interface BackchannelRequest {
  readonly challenge: string;
  readonly client: OAuth2Client;
  readonly requestedScopes: readonly string[];
  readonly requestedAudience: readonly string[];
  readonly acrValues: readonly string[];
  /** The user, by an identifier that your app understands (OpenID CIBA Core, section 7.1). */
  readonly loginHint?: string;
  /** The claims of the ID token by which the client names the user. Its signature was verified. */
  readonly idTokenHintClaims?: Readonly<Record<string, unknown>>;
  /** Compare it with the user's own user code before you accept. */
  readonly userCode?: string;
  /** Show it to the user, who compares it with the text on the other device. */
  readonly bindingMessage?: string;
  readonly expiresAt: Date;
}

/**
 * The CIBA requests that Carnet sends to `urls.backchannelAuthentication`, for the app that asks users on their own
 * devices. All three functions throw CarnetError `not_found` for a challenge that is not valid or has expired.
 */
export interface BackchannelRequests {
  /** Gets the request of a `backchannel_challenge`. */
  get(challenge: string): Promise<BackchannelRequest>;
  /**
   * Grants what the user allowed on their device.
   *
   * @throws CarnetError `conflict` when the request was answered before; `invalid_request` with the `field` that is wrong
   */
  accept(challenge: string, decision: AcceptBackchannel): Promise<void>;
  /** Refuses the request. @throws CarnetError `conflict` when the request was answered before */
  reject(challenge: string, reason?: RejectRequest): Promise<void>;
}

const isAnswering = (state: FlowState): state is AnsweringFlow => state.waiting !== undefined;

/** OpenID CIBA Core, section 10.2. Nothing depends on it: a client that misses it polls. */
const ping = ({ outbound }: RequestsDependencies, { params }: FlowState, { metadata }: ClientRecord): void => {
  const { backchannel_client_notification_endpoint: url } = metadata;
  if (metadata.backchannel_token_delivery_mode !== 'ping' || url === undefined) return;
  const headers = { authorization: `Bearer ${params.client_notification_token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ auth_req_id: params.auth_req_id });
  // The outbound client reports a failure.
  outbound.send({ url, method: 'POST', headers, body, purpose: 'ciba_notification' }).catch(() => undefined);
};

const presented = (challenge: string, { params, expiresAt }: FlowState, client: ClientRecord): BackchannelRequest => ({
  challenge,
  client: client.metadata,
  requestedScopes: spaceDelimited(params.scope),
  requestedAudience: spaceDelimited(params.audience),
  acrValues: spaceDelimited(params.acr_values),
  loginHint: params.login_hint || undefined,
  idTokenHintClaims: params.id_token_hint ? readJws(params.id_token_hint)?.claims : undefined,
  userCode: params.user_code || undefined,
  bindingMessage: params.binding_message || undefined,
  expiresAt: new Date(expiresAt * 1000),
});

/** The request travels sealed in its challenge. The answer is a claim in the store, where the client polls for it. */
export const createBackchannelRequests = (deps: RequestsDependencies): BackchannelRequests => {
  const { tokens, clients, envelope, adapter, subjects, audit, now, refuse } = deps;
  const seconds = () => Math.floor(now() / 1000);

  const open = async (challenge: string): Promise<{ state: AnsweringFlow; client: ClientRecord }> => {
    const opened = await tokens.open('backchannel_challenge', challenge);
    if (opened.status === 'invalid' || !isAnswering(opened.state)) throw notFound();
    const { state } = opened;
    // No browser can start again: the client has to send a new request.
    if (state.expiresAt <= seconds()) throw notFound();
    return { state, client: existing(await clients.find(clientIdOf(state))) };
  };

  /** The hint was verified with the request. It names the user by the `sub` that the client knows. */
  const isAnotherUser = ({ id_token_hint: hint }: FlowState['params'], client: ClientRecord, subject: string) =>
    hint !== undefined && readJws(hint)?.claims.sub !== subjects.present(client, subject);

  const answer = async (state: AnsweringFlow, client: ClientRecord): Promise<void> => {
    const conflict = await adapter.commit([{ type: 'claim', record: decisionRecord(envelope, state) }]);
    if (conflict) throw new CarnetError('conflict', 'The request was answered before.');
    audit({
      action: 'backchannel.authentication',
      outcome: state.rejection ? 'denied' : 'success',
      reason: state.rejection ? 'access_denied' : undefined,
      clientId: client.id,
      subject: state.login?.subject,
    });
    ping(deps, state, client);
  };

  return {
    async get(challenge) {
      const { state, client } = await open(challenge);
      return presented(challenge, state, client);
    },
    async accept(challenge, decision) {
      const { state, client } = await open(challenge);
      const { subject, acr, amr, ...granted } = parseWith(acceptBackchannel, decision, refuse);
      if (isAnotherUser(state.params, client, subject))
        throw refuse('subject', 'is not the user whom the request names');
      const login = { subject, authTime: seconds(), remember: false, acr: acr || undefined, amr };
      const consent = decideConsent(client, state, granted, deps);
      await answer({ ...state, login, consent }, client);
    },
    async reject(challenge, reason) {
      const { state, client } = await open(challenge);
      await answer({ ...state, rejection: decideRejection('login', reason, refuse) }, client);
    },
  };
};
