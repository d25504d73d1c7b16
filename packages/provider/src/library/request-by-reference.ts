import { createSingleFlight } from '@carnet/adapter-contract/kit';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { problemOf } from './request-limits.ts';

/** The limit of a request object that is sent by value. */
const maxBytes = 49_152;

/** The request object at a registered URL; undefined if there is none. */
export type FetchRequestObject = (url: string) => Promise<string | undefined>;

/**
 * Fetches request objects that are named by a URL (RFC 9101, section 5.2). They are treated as if they had been sent by
 * value. The outbound client calls no private address.
 */
export const createFetchRequestObject = (outbound: Pick<OutboundClient, 'send'>): FetchRequestObject => {
  const fetchObject: FetchRequestObject = async (url) => {
    try {
      const { status, body } = await outbound.send({ url, purpose: 'request_uri', maxBytes });
      const object = body.trim();
      return status === 200 && problemOf('request', object) === undefined ? object : undefined;
    } catch {
      // The outbound client has logged it. The response is `invalid_request_uri`.
      return undefined;
    }
  };
  // Any caller may send such requests in parallel: the client's server gets one at a time.
  return createSingleFlight(fetchObject).fresh;
};
