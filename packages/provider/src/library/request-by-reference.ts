import type { Context, Middleware } from 'koa';
import type { ClientRecord } from '../clients/client-record.ts';
import { createSingleFlight } from '../concurrency/single-flight.ts';
import { authorizationPath } from '../flow/urls.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { isForm, readForm, replaceForm } from './form-body.ts';
import { problemOf } from './request-limits.ts';

export interface RequestByReferenceDependencies {
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly outbound: Pick<OutboundClient, 'send'>;
}

const pushed = 'urn:ietf:params:oauth:request_uri:';
/** The limit of a request object that is sent by value. */
const maxBytes = 49_152;

const paramsOf = async (ctx: Context): Promise<URLSearchParams> =>
  isForm(ctx) ? readForm(ctx) : new URLSearchParams(ctx.querystring);

const replaceParams = (ctx: Context, params: URLSearchParams): void => {
  if (isForm(ctx)) replaceForm(ctx, params);
  else ctx.querystring = params.toString();
};

/**
 * Fetches a request object that is named by a URL (RFC 9101, section 5.2) and treats it as if it had been sent by
 * value. Only URLs that the client has registered are fetched, so that no caller chooses which server is called. The
 * outbound client calls no private address.
 */
export const createRequestByReference = ({ clients, outbound }: RequestByReferenceDependencies): Middleware => {
  const isRegistered = async (clientId: string | null, url: string): Promise<boolean> => {
    const client = clientId ? await clients.find(clientId) : undefined;
    return client?.metadata.request_uris?.includes(url) ?? false;
  };

  const fetchObject = async (url: string): Promise<string | undefined> => {
    try {
      const { status, body } = await outbound.send({ url, purpose: 'request_uri', maxBytes });
      const object = body.trim();
      return status === 200 && problemOf('request', object) === undefined ? object : undefined;
    } catch {
      // The outbound client has logged it. The response is `invalid_request_uri`.
      return undefined;
    }
  };

  // Any caller may send such requests in parallel: the client's server gets one at a time.
  const { fresh } = createSingleFlight(fetchObject);

  const resolve = async (ctx: Context): Promise<void> => {
    const params = await paramsOf(ctx);
    const url = params.get('request_uri');
    if (url === null || url.startsWith(pushed) || params.has('request')) return;
    if (!(await isRegistered(params.get('client_id'), url))) return;
    const object = await fresh(url);
    params.delete('request_uri');
    if (object === undefined) params.set('request_uri', `${pushed}unreachable`);
    else params.set('request', object);
    replaceParams(ctx, params);
  };

  return async (ctx, next) => {
    if (ctx.path === authorizationPath) await resolve(ctx);
    await next();
  };
};
