import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The prefix of an IPv4 address on a socket that also listens on IPv6. */
const mapped = /^::ffff:(?=\d+\.)/i;

/**
 * Whether the connection of a request comes from a trusted proxy, whose headers about the client are accepted. The
 * address is that of the connection, never of a header.
 */
export const trustedProxies = (
  networks: readonly string[],
): ((request: { readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'> }) => boolean) => {
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
