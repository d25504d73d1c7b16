import { BlockList, isIP } from 'node:net';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** An IP address without the prefix of an IPv4 address on a socket that also listens on IPv6. */
export const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Whether a text is an IP address that is one of `entries`, or in one of them: addresses and networks. */
export const createNetworkList = (entries: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const entry of entries) {
    const [network = '', bits] = entry.split('/');
    if (bits === undefined) list.addAddress(network, familyOf(network));
    else list.addSubnet(network, Number(bits), familyOf(network));
  }
  return (text) => {
    const address = unmapped(text);
    return isIP(address) !== 0 && list.check(address, familyOf(address));
  };
};
