import { BlockList, isIP } from 'node:net';

/** The hosts and networks that Carnet may call although they are private or not https (`outbound.allow`). */
export interface Allowed {
  host(url: URL): boolean;
  address(address: string): boolean;
}

const ipv6Or4 = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** The port of a URL, also if it is the default port of its scheme. */
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

export const readAllowed = (entries: readonly string[]): Allowed => {
  const subnets = new BlockList();
  const hosts = new Set<string>();
  for (const entry of entries) {
    const [network = '', bits] = entry.split('/');
    if (bits === undefined) hosts.add(entry.toLowerCase());
    else subnets.addSubnet(network, Number(bits), ipv6Or4(network));
  }
  return {
    host: (url) => {
      const name = url.hostname.replace(/\.$/, '');
      return hosts.has(name) || hosts.has(`${name}:${portOf(url)}`);
    },
    address: (address) => isIP(address) !== 0 && subnets.check(address, ipv6Or4(address)),
  };
};
