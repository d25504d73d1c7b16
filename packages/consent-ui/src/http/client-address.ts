import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { isIPv6, type Socket } from 'node:net';

const header = 'x-carnet-client-address';

/**
 * Notes the peer's address on every request of this process. Next.js does not pass it on: X-Forwarded-For as the client
 * sent it
 * takes its place.
 *
 * Safe because the header is written over whatever the client sent, before Next.js sees the request.
 */
export const recordClientAddresses = (): void => {
  subscribe('http.server.request.start', (message) => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket };
    request.headers[header] = socket.remoteAddress ?? 'unknown';
  });
};

/** The address that `recordClientAddresses` has noted. */
export const recordedAddress = (request: Request): string | undefined => request.headers.get(header) ?? undefined;

/** The request with the address of its connection. Safe because the header is written over whatever the client sent. */
export const withClientAddress = (request: Request, address = 'unknown'): Request => {
  const headers = new Headers(request.headers);
  headers.set(header, address);
  return new Request(request, { headers });
};

const network = (address: string): string => {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
};

/**
 * The address by which attempts are counted. For IPv6 it is the /64 network, because a client with one address has all
 * of it. Behind
 * `trustedProxyHops` reverse proxies it is the entry that the outermost proxy appended to X-Forwarded-For. The client
 * can forge the
 * entries before it.
 */
export const clientAddress = (request: Request, trustedProxyHops: number): string => {
  const peer = request.headers.get(header) ?? 'unknown';
  if (trustedProxyHops === 0) return network(peer);
  const forwarded = (request.headers.get('x-forwarded-for') ?? '').split(',').map((entry) => entry.trim());
  return network(forwarded.at(-trustedProxyHops) || peer);
};
