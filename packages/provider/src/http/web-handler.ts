import { isIP } from 'node:net';
import { CarnetError } from '../errors.ts';
import type { PublicHandler } from './public-handler.ts';
import { exchange } from './web-exchange.ts';

export interface WebRequestOptions {
  /**
   * The IP address of the connection, as the server of the host application knows it. Behind a proxy it is the address
   * of the proxy: `http.trustedProxies` decides whether Carnet accepts the headers about the client.
   */
  readonly address?: string;
}

export type WebHandler = (request: Request, options?: WebRequestOptions) => Promise<Response>;

/** The settings that use the connection of a request. */
interface ConnectionSettings {
  readonly mtls: { readonly enabled: boolean };
  readonly http: { readonly clientCertificateHeader?: string; readonly trustedProxies: readonly string[] };
}

const refusal = ({ mtls, http }: ConnectionSettings, { address }: WebRequestOptions): string | undefined => {
  if (mtls.enabled && http.clientCertificateHeader === undefined)
    return 'features.mtls: a Web Request has no TLS connection, so carnet.fetch() cannot see client certificates. Let a proxy forward them (http.clientCertificateHeader, http.trustedProxies), or mount carnet.callback() on a server of node:https.';
  if (address === undefined && http.trustedProxies.length > 0)
    return 'http.trustedProxies: a Web Request has no address, so carnet.fetch() cannot know whether a trusted proxy sent it. Pass the address of the connection: carnet.fetch(request, { address }).';
  if (address !== undefined && isIP(address) === 0)
    return 'carnet.fetch(request, { address }): address must be an IP address without a port.';
  return undefined;
};

/**
 * A handler of Web Requests. A configuration that uses what a Web Request does not have is refused at each call.
 *
 * @throws CarnetError `server_error`: the program must change, as the message describes
 */
export const createWebHandler =
  (handler: PublicHandler, settings: ConnectionSettings): WebHandler =>
  async (request, options = {}) => {
    const problem = refusal(settings, options);
    if (problem !== undefined) throw new CarnetError('server_error', problem);
    if (request.bodyUsed) {
      const description = 'carnet.fetch(request): the body of the request was already read. Pass the request unread.';
      throw new CarnetError('server_error', description);
    }
    return exchange(handler, request, options.address);
  };
