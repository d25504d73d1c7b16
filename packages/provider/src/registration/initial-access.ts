import type { StorageAdapter, Write } from '@carnet/adapter-contract';
import { type InitialTokenPayload, initialTokenKey } from '../clients/registration-token.ts';
import { CarnetError } from '../errors.ts';

/** The same error for every refusal, so that a caller cannot find out whether the token ever existed. */
export const unauthorized = (): CarnetError =>
  new CarnetError('unauthorized', 'The access token is missing, was used, or is not valid here.');

/**
 * The writes for the commit of the client: they consume a token for a single registration.
 * @throws CarnetError `unauthorized`
 */
export const admit = async (
  adapter: Pick<StorageAdapter, 'read'>,
  token: string | undefined,
  now: () => number,
): Promise<readonly Write[]> => {
  const key = token === undefined ? undefined : initialTokenKey(token);
  const [record] = key === undefined ? [] : await adapter.read([key]);
  if (key === undefined || record === undefined || record.consumedAt !== null) throw unauthorized();
  const { isReusable } = JSON.parse(record.payload) as InitialTokenPayload;
  return isReusable ? [] : [{ type: 'consume', key, at: new Date(now()) }];
};
