import type { StorageAdapter } from '@carnet/adapter-contract';
import type { z } from 'zod';
import type { ClientRecord } from '../clients/client-record.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { CarnetError } from '../errors.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { decodeJwtPayload } from '../flow/jwt-payload.ts';
import { type AnsweringFlow, decisionRecord } from '../flow/polled-requests.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/types.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { Audit } from '../telemetry/audit.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { challengeOf, parseBody } from './challenge.ts';
import { decideConsent, decideRejection } from './decisions.ts';
import { headlessDescriptions as about } from './descriptions.ts';
import type { HeadlessDependencies } from './index.ts';
import { acceptBackchannelBody, rejectBody } from './wire.ts';

export interface BackchannelOptions {
  readonly adapter: Pick<StorageAdapter, 'commit'>;
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
  readonly audit: Audit;
}

type BackchannelDependencies = Pick<HeadlessDependencies, 'tokens' | 'envelope' | 'clients' | 'scopeMatch' | 'now'> &
  BackchannelOptions;

const prefix = '/admin/oauth2/auth/requests/backchannel';

const isAnswering = (state: FlowState): state is AnsweringFlow => state.waiting !== undefined;

/** Whom the request names: by an ID token of theirs, or by anything that the app understands. */
const hintsOf = ({ login_hint, id_token_hint }: FlowState['params']) => ({
  ...(login_hint ? { login_hint } : {}),
  ...(id_token_hint ? { id_token_hint_claims: decodeJwtPayload(id_token_hint) } : {}),
});

/**
 * The headless part of CIBA, for the app that asks people on their own devices. What it is asked about travels sealed in
 * its challenge; its answer is a claim in the store, where the client finds it: the first one counts.
 */
export const backchannelRoutes = (deps: BackchannelDependencies): Route[] => {
  const { tokens, envelope, clients, adapter, outbound, subjects, audit, now } = deps;
  const seconds = () => Math.floor(now() / 1000);

  /** The hint was verified when it came. Who is meant stands in it as the client knows them. */
  const isSomebodyElse = ({ id_token_hint: hint }: FlowState['params'], client: ClientRecord, subject: string) =>
    hint !== undefined && decodeJwtPayload(hint).sub !== subjects.present(client, subject);

  const open = async (request: HttpRequest): Promise<{ state: AnsweringFlow; client: ClientRecord }> => {
    const opened = await tokens.open('backchannel_challenge', challengeOf(request, 'backchannel_challenge'));
    if (opened.status === 'invalid' || !isAnswering(opened.state)) throw new CarnetError('not_found', '');
    const { state } = opened;
    // There is nobody to start again: the client has to ask anew.
    if (state.expiresAt <= seconds()) throw new CarnetError('not_found', '');
    const client = await clients.find(state.params.client_id ?? '');
    if (client === undefined) throw new CarnetError('not_found', '');
    return { state, client };
  };

  /** OpenID CIBA Core, section 10.2. Whoever does not hear of it polls: nothing depends on it. */
  const ping = ({ params }: FlowState, { metadata }: ClientRecord): void => {
    const { backchannel_client_notification_endpoint: url } = metadata;
    if (metadata.backchannel_token_delivery_mode !== 'ping' || url === undefined) return;
    const headers = {
      authorization: `Bearer ${params.client_notification_token}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ auth_req_id: params.auth_req_id });
    // The outbound client reports what became of it.
    outbound.send({ url, method: 'POST', headers, body, purpose: 'ciba_notification' }).catch(() => undefined);
  };

  const answer = async (state: AnsweringFlow, client: ClientRecord): Promise<HttpResponse> => {
    const conflict = await adapter.commit([{ type: 'claim', record: decisionRecord(envelope, state) }]);
    if (conflict) throw new CarnetError('conflict', 'The request was answered before.');
    audit({
      action: 'backchannel.authentication',
      outcome: state.rejection ? 'denied' : 'success',
      reason: state.rejection ? 'access_denied' : undefined,
      clientId: client.id,
      subject: state.login?.subject,
    });
    ping(state, client);
    return { status: 204 };
  };

  const get: Route['handle'] = async (request) => {
    const { state, client } = await open(request);
    const { params, expiresAt } = state;
    return {
      status: 200,
      body: {
        challenge: challengeOf(request, 'backchannel_challenge'),
        client: client.metadata,
        requested_scope: spaceDelimited(params.scope),
        requested_access_token_audience: spaceDelimited(params.audience),
        acr_values: spaceDelimited(params.acr_values),
        ...hintsOf(params),
        ...(params.user_code ? { user_code: params.user_code } : {}),
        ...(params.binding_message ? { binding_message: params.binding_message } : {}),
        expires_at: new Date(expiresAt * 1000).toISOString(),
      },
    };
  };

  const decide = (state: AnsweringFlow, client: ClientRecord, body: z.output<typeof acceptBackchannelBody>) => {
    if (body.subject === '') throw new CarnetError('invalid_request', "Field 'subject' must not be empty.");
    if (isSomebodyElse(state.params, client, body.subject)) {
      throw new CarnetError('invalid_request', "Field 'subject' is not the person whom the request names.");
    }
    const consent = { ...body, remember: false, remember_for: 0, context: undefined };
    return {
      ...state,
      login: {
        subject: body.subject,
        authTime: seconds(),
        remember: false,
        acr: body.acr || undefined,
        amr: body.amr ?? undefined,
      },
      consent: decideConsent({ client, scopeMatch: deps.scopeMatch }, consent, seconds()),
    };
  };

  const accept: Route['handle'] = async (request) => {
    const { state, client } = await open(request);
    return answer(decide(state, client, parseBody(acceptBackchannelBody, await request.json())), client);
  };

  const reject: Route['handle'] = async (request) => {
    const { state, client } = await open(request);
    const rejection = decideRejection('login', parseBody(rejectBody, await request.json()));
    return answer({ ...state, rejection }, client);
  };

  return [
    { method: 'GET', path: prefix, description: about.getBackchannel, handle: get },
    { method: 'PUT', path: `${prefix}/accept`, description: about.acceptBackchannel, handle: accept },
    { method: 'PUT', path: `${prefix}/reject`, description: about.rejectBackchannel, handle: reject },
  ];
};
