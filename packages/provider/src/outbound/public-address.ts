import { isIPv4 } from 'node:net';
import { createNetworkList } from '../text/network.ts';

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
