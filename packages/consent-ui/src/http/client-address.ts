import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { isIPv6, type Socket } from 'node:net';

const header = 'x-carnet-client-address';

/**
 * Notes the peer's address on every request of this process. Next.js does not pass it on: X-Forwarded-For as the client sent it
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
 * Whose attempts these are; of an IPv6 address the /64, for whoever has one address has all of it. Behind `trustedProxyHops` reverse proxies it is the entry that the outermost of them appended to
 * X-Forwarded-For; what stands left of it is the client's own invention.
 */
export const clientAddress = (request: Request, trustedProxyHops: number): string => {
  const peer = request.headers.get(header) ?? 'unknown';
  if (trustedProxyHops === 0) return network(peer);
  const forwarded = (request.headers.get('x-forwarded-for') ?? '').split(',').map((entry) => entry.trim());
  return network(forwarded.at(-trustedProxyHops) || peer);
};
