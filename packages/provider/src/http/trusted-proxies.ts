import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** An IPv4 address the way a socket that listens on IPv6 as well names it. */
const mapped = /^::ffff:(?=\d+\.)/i;

/**
 * Whether a request's connection comes from a proxy that may say what its client showed it. The address is that of the
 * connection itself: no header has a part in it.
 */
export const trustedProxies = (networks: readonly string[]): ((request: IncomingMessage) => boolean) => {
  const list = new BlockList();
  for (const entry of networks) {
    const [network = '', bits] = entry.split('/');
    if (bits === undefined) list.addAddress(network, family(network));
    else list.addSubnet(network, Number(bits), family(network));
  }
  return ({ socket }) => {
    const address = socket.remoteAddress?.replace(mapped, '');
    return address !== undefined && isIP(address) !== 0 && list.check(address, family(address));
  };
};
