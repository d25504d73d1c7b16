import type { SendUpstream } from '@carnet/accounts';
import type { CustomFetch, FetchBody } from 'openid-client';

const textOf = (body: FetchBody): string | undefined => {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new TypeError('A request to a provider has an unexpected body.');
};

/** `new Response` accepts no body with these. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** `fetch` for openid-client by the client of the caller, which has the limits of outgoing requests. */
export const createFetch =
  (send: SendUpstream): CustomFetch =>
  async (url, { method, headers, body }) => {
    const text = textOf(body);
    const answer = await send({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(text !== undefined && { body: text }),
    });
    const { status } = answer;
    return new Response(withoutBody.has(status) ? null : answer.body, { status, headers: answer.headers });
  };
