import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIPv4, type LookupFunction } from 'node:net';
import { createNetworkList } from '../text/network.ts';

/** The port of a URL, also if it is the default port of its scheme. */
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/** The hosts and networks that Carnet may call although they are private or not https (`outbound.allow`). */
export const readAllowed = (entries: readonly string[]) => {
  const hosts = new Set(entries.filter((entry) => !entry.includes('/')).map((entry) => entry.toLowerCase()));
  return {
    host: (url: URL): boolean => {
      const name = url.hostname.replace(/\.$/, '');
      return hosts.has(name) || hosts.has(`${name}:${portOf(url)}`);
    },
    address: createNetworkList(entries.filter((entry) => entry.includes('/'))),
  };
};

const isSpecial = createNetworkList([
  // IPv4 networks that the IANA registry of special-purpose addresses (RFC 6890) marks as not global, and multicast.
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Networks in 2000::/3 that are not public hosts: protocols, documentation, tunnels that contain an IPv4 address.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]);

const isGlobalIpv6 = createNetworkList(['2000::/3']);

/**
 * Whether an IP address is public. IPv6 addresses are public only within 2000::/3, the only allocated part. Loopback,
 * link-local, unique local, IPv4-mapped, IPv4-compatible and NAT64 addresses are not.
 */
export const isPublicAddress = (address: string): boolean =>
  (isIPv4(address) || isGlobalIpv6(address)) && !isSpecial(address);

export type Resolve = (hostname: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export const resolveBySystem: Resolve = (hostname, callback) => systemLookup(hostname, { all: true }, callback);

/** The name resolves to an address that may not be called. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/**
 * A `lookup` for sockets that returns only addresses that may be called, or fails. The one step against DNS rebinding:
 * a name is resolved once, here, and the socket connects to the checked address. If one address of a name is not
 * allowed, the lookup fails.
 */
export const createCheckedLookup =
  (resolve: Resolve, mayConnect: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, '');
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => mayConnect(address))) {
        return callback(new PrivateAddressError(), '');
      }
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
