import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { createNetworkList, unmapped } from '../text/network.ts';

/** The place of a browser, as users see it in the list of their sessions. Personal data: stored with the session only. */
export interface BrowserPlace {
  /** The IP address: of the connection, or behind trusted proxies that of the last one that is not trusted. */
  readonly address?: string;
  /** The `User-Agent` header, at most 256 characters. */
  readonly userAgent?: string;
}

/** The parts of a request that show the place of its browser. */
export type BrowserMessage = Pick<IncomingMessage, 'headers' | 'socket'>;

const maxUserAgentLength = 256;

/**
 * The place of the browser that sent a request.
 *
 * An entry of `X-Forwarded-For` is believed only if a trusted proxy appended it: the entries are read from the right, and
 * the first one that is not a trusted proxy is the browser. A browser can forge only the entries before it.
 */
export const createBrowserPlace = (networks: readonly string[]): ((message: BrowserMessage) => BrowserPlace) => {
  const isTrusted = createNetworkList(networks);
  return ({ headers, socket }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((entry) => entry.trim());
    let address = socket.remoteAddress;
    while (address !== undefined && isTrusted(address)) {
      const next = forwarded.pop();
      if (!next) break;
      address = next;
    }
    return {
      address: address && unmapped(address).slice(0, 45),
      userAgent: headers['user-agent']?.slice(0, maxUserAgentLength),
    };
  };
};

const networks = new AsyncLocalStorage<string | undefined>();

/** The /24 network of an IPv4 address, or the /48 network of an IPv6 address. */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6) return address.split('.', 3).join('.');
  const [head = ''] = address.split('::');
  return [...head.split(':'), '0', '0'].slice(0, 3).join(':');
};

/** The network of the caller whose public request this call belongs to; undefined for other calls. */
export const callerNetwork = (): string | undefined => networks.getStore();

/** Runs a call with the caller's network, which is found by the rules of `createBrowserPlace`. */
export const createCallerScope = (trustedProxies: readonly string[]) => {
  const placeOf = createBrowserPlace(trustedProxies);
  return <T>(message: BrowserMessage, call: () => T): T => {
    const { address } = placeOf(message);
    return networks.run(address === undefined ? undefined : networkOf(address), call);
  };
};
