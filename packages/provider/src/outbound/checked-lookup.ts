import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

export type Resolve = (hostname: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export const resolveBySystem: Resolve = (hostname, callback) => systemLookup(hostname, { all: true }, callback);

/** The name is known, but not where it may lead. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/**
 * A `lookup` for sockets that answers with addresses that may be connected to, or fails. A name is resolved once, here,
 * and the socket connects to what was checked: a name that resolves to something else a moment later (DNS rebinding)
 * gains nothing. One address that may not be reached condemns the name.
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
