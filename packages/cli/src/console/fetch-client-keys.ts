import { parseJson } from '@carnet/adapter-contract/kit';
import type { FetchedKeys } from '@carnet/console';
import { createOutboundClient, type Logger, OutboundError } from '@carnet/provider/server';
import type { CommandConfig } from '../config/schema.ts';

/** All requests for a URL share one fetch in this time: a viewer can cause no more of them. */
const sharedMs = 5_000;

/** The function, with one call for each URL in the time. */
const shared = <T>(fetchKeys: (url: string) => Promise<T>): ((url: string) => Promise<T>) => {
  const fetched = new Map<string, Promise<T>>();
  return (url) => {
    const earlier = fetched.get(url);
    if (earlier !== undefined) return earlier;
    const keys = fetchKeys(url);
    fetched.set(url, keys);
    setTimeout(() => fetched.delete(url), sharedMs).unref();
    return keys;
  };
};

/**
 * Fetches the keys at the `jwks_uri` of a client, as the server does: the outbound client decides which addresses may be called.
 * Operators do so seldom: each request has a client of its own, which leaves no connection open.
 */
export const createClientKeysFetcher = (
  { outbound, dev }: Pick<CommandConfig, 'outbound' | 'dev'>,
  logger: Pick<Logger, 'info'>,
): ((url: string) => Promise<FetchedKeys>) =>
  shared(async (url) => {
    const client = createOutboundClient({
      ...outbound,
      allowLoopback: dev,
      report: (outcome) => logger.info({ outbound: outcome }, 'outbound request of the console'),
    });
    try {
      const { status, body } = await client.send({ url, purpose: 'jwks_uri' });
      if (status !== 200) return { type: 'problem', reason: `HTTP ${status}` };
      return { type: 'document', content: parseJson(body) };
    } catch (error) {
      if (error instanceof OutboundError) return { type: 'problem', reason: error.reason };
      throw error;
    } finally {
      await client.close();
    }
  });
