import type { OutboundClient, OutboundRequest } from '../outbound/outbound-client.ts';

/** Statuses that may not have a body, as `Response` sees it. */
const bodiless = new Set([204, 205, 304]);

/** What oidc-provider fetches by itself; the rest is fetched by Carnet. */
const purposeOf = (method: string, contentType: string | null): OutboundRequest['purpose'] => {
  if (method === 'GET') return 'jwks_uri';
  return contentType === 'application/json' ? 'ciba_notification' : 'backchannel_logout';
};

/** `fetch` for oidc-provider. Its own time limit and dispatcher are left: the client has better ones. */
export const createFetch =
  (outbound: Pick<OutboundClient, 'send'>) =>
  async (url: string | URL, options: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', body } = options;
    const headers = new Headers(options.headers);
    headers.delete('user-agent');
    const answer = await outbound.send({
      url: String(url),
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(headers),
      body: body === undefined || body === null ? undefined : String(body),
      purpose: purposeOf(method, headers.get('content-type')),
    });
    const { status } = answer;
    return new Response(bodiless.has(status) ? null : answer.body, { status, headers: answer.headers });
  };
