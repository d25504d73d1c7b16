import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

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
