import { AsyncLocalStorage } from 'node:async_hooks';
import { isIP } from 'node:net';
import { type BrowserMessage, createBrowserPlace } from './browser-place.ts';

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
