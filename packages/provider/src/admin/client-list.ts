import type { ClientRecord } from '../clients/client-record.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { linkHeader, maxPageSize, type PageTokens, parsePageQuery } from './page-query.ts';

export interface ClientListDependencies {
  readonly clients: Pick<ClientStore, 'list'>;
  readonly pageTokens: PageTokens;
}

export interface ClientListPage {
  readonly records: readonly ClientRecord[];
  /** The `Link` header (RFC 8288): the first page and, if there is one, the next. */
  readonly link: string;
}

type Filters = Readonly<Record<'client_name' | 'owner', string>>;

/** A filter looks at no more than so many store pages of 500 for one answer, which may then be short or empty. */
const maxScannedPages = 20;

const isMatch = ({ client_name, owner }: Filters, { metadata }: ClientRecord): boolean =>
  (client_name === '' || metadata.client_name === client_name) && (owner === '' || metadata.owner === owner);

interface Scan {
  readonly records: readonly ClientRecord[];
  readonly next?: string;
}

/** One store page's matches, at most `wanted`. If it holds more, it is read again, no further than to the last one wanted. */
const scanPage = async (
  clients: ClientListDependencies['clients'],
  filters: Filters,
  after: string | undefined,
  wanted: number,
): Promise<Scan> => {
  const page = await clients.list({ limit: maxPageSize, after });
  const places = page.records.flatMap((record, place) => (isMatch(filters, record) ? [place] : []));
  const last = places[wanted - 1];
  if (places.length <= wanted || last === undefined) {
    return { records: page.records.filter((record) => isMatch(filters, record)), next: page.next };
  }
  const shorter = await clients.list({ limit: last + 1, after });
  return { records: shorter.records.filter((record) => isMatch(filters, record)), next: shorter.next };
};

const scan = async (
  clients: ClientListDependencies['clients'],
  filters: Filters,
  start: string | undefined,
  wanted: number,
): Promise<Scan> => {
  const records: ClientRecord[] = [];
  let after = start;
  for (let pages = 0; pages < maxScannedPages; pages++) {
    const found = await scanPage(clients, filters, after, wanted - records.length);
    records.push(...found.records);
    after = found.next;
    if (after === undefined || records.length >= wanted) break;
  }
  return { records, next: after };
};

/** GET /admin/clients: a page of clients, by `page_size`, `page_token`, `client_name` and `owner`. */
export const listClients = async (
  query: URLSearchParams,
  { clients, pageTokens }: ClientListDependencies,
): Promise<ClientListPage> => {
  const filters: Filters = { client_name: query.get('client_name') ?? '', owner: query.get('owner') ?? '' };
  const listing = { path: '/admin/clients', filters };
  const { pageSize, after } = parsePageQuery(query, pageTokens, listing);
  const isFiltered = filters.client_name !== '' || filters.owner !== '';
  const { records, next } = isFiltered
    ? await scan(clients, filters, after, pageSize)
    : await clients.list({ limit: pageSize, after });
  return { records, link: linkHeader(pageTokens, { ...listing, pageSize, next }) };
};
