import { Provider } from 'oidc-provider';
import { CarnetError } from '../errors.ts';
import type { OutboundClient, OutboundRequest, OutboundResponse } from '../outbound/outbound-client.ts';
import { rememberFailure, stateOf } from './request-state.ts';

/** Statuses that may not have a body, as `Response` sees it. */
const bodiless = new Set([204, 205, 304]);

/** The purpose of a request that oidc-provider makes. Carnet makes all others. */
const purposeOf = (method: string, contentType: string | null): OutboundRequest['purpose'] => {
  if (method === 'GET') return 'jwks_uri';
  return contentType === 'application/json' ? 'ciba_notification' : 'backchannel_logout';
};

/** The reason is only logged: clients that register themselves learn nothing of our network. */
const noKeys = (cause?: unknown): CarnetError =>
  new CarnetError('client_keys_unavailable', "The client's keys could not be fetched from its jwks_uri.", { cause });

/** If the keys of a client can't be fetched, this failure decides the response, not the error of oidc-provider. */
const keysOr = async (sent: Promise<OutboundResponse>): Promise<OutboundResponse> => {
  const fetched = async (): Promise<OutboundResponse> => {
    const answer = await sent.catch((cause: unknown) => {
      throw noKeys(cause);
    });
    if (answer.status !== 200) throw noKeys();
    return answer;
  };
  const { ctx } = Provider;
  return ctx ? rememberFailure(stateOf(ctx), fetched) : fetched();
};

/** `fetch` for oidc-provider. Its own time limit and dispatcher are left: the client has better ones. */
export const createFetch =
  (outbound: Pick<OutboundClient, 'send'>) =>
  async (url: string | URL, options: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', body } = options;
    const headers = new Headers(options.headers);
    headers.delete('user-agent');
    const purpose = purposeOf(method, headers.get('content-type'));
    const sent = outbound.send({
      url: String(url),
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(headers),
      body: body === undefined || body === null ? undefined : String(body),
      purpose,
    });
    const answer = await (purpose === 'jwks_uri' ? keysOr(sent) : sent);
    const { status } = answer;
    return new Response(bodiless.has(status) ? null : answer.body, { status, headers: answer.headers });
  };
