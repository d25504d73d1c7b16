import { maxPageSize } from '../storage/page.ts';
import type { ClientRecord } from './client-record.ts';
import type { ClientPage, ClientStore } from './client-store.ts';

type Lists = Pick<ClientStore, 'list'>;
type IsMatch = (record: ClientRecord) => boolean;

/** A filter reads at most this many pages of 500 from the store for one answer, which may then be short or empty. */
const maxScannedPages = 20;

/** The matches in one page of the store, at most `wanted`. A page with more is read again, up to the last one wanted. */
const scanPage = async (
  clients: Lists,
  isMatch: IsMatch,
  after: string | undefined,
  wanted: number,
): Promise<ClientPage> => {
  const page = await clients.list({ limit: maxPageSize, after });
  const places = page.records.flatMap((record, place) => (isMatch(record) ? [place] : []));
  const last = places[wanted - 1];
  const found = places.length <= wanted || last === undefined ? page : await clients.list({ limit: last + 1, after });
  return { records: found.records.filter(isMatch), next: found.next };
};

/** A page of the clients that match. It may be short although more follow. */
export const scanClients = async (
  clients: Lists,
  isMatch: IsMatch,
  { limit, after }: { readonly limit: number; readonly after?: string },
): Promise<ClientPage> => {
  const records: ClientRecord[] = [];
  let next = after;
  for (let pages = 0; pages < maxScannedPages; pages++) {
    const found = await scanPage(clients, isMatch, next, limit - records.length);
    records.push(...found.records);
    next = found.next;
    if (next === undefined || records.length >= limit) break;
  }
  return { records, next };
};
