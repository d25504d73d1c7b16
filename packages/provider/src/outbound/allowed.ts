import { createNetworkList } from '../text/network.ts';

/** The hosts and networks that Carnet may call although they are private or not https (`outbound.allow`). */
export interface Allowed {
  host(url: URL): boolean;
  address(address: string): boolean;
}

/** The port of a URL, also if it is the default port of its scheme. */
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

export const readAllowed = (entries: readonly string[]): Allowed => {
  const hosts = new Set(entries.filter((entry) => !entry.includes('/')).map((entry) => entry.toLowerCase()));
  return {
    host: (url) => {
      const name = url.hostname.replace(/\.$/, '');
      return hosts.has(name) || hosts.has(`${name}:${portOf(url)}`);
    },
    address: createNetworkList(entries.filter((entry) => entry.includes('/'))),
  };
};
