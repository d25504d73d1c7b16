import { CarnetError } from '../errors.ts';

/** Page tokens that say nothing to whoever carries them, and are taken back only as they were given. */
export interface PageTokens {
  seal(listing: string, place: string): string;
  /** @throws CarnetError `invalid_request` when the token is not one that `seal` made for this listing */
  open(listing: string, token: string): string;
}

/** A list, as far as its page tokens are concerned. */
export interface Listing {
  readonly path: string;
  /** Other parameters of the query; empty ones are left out. */
  readonly filters: Readonly<Record<string, string>>;
}

const filtersOf = ({ filters }: Listing): string =>
  new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString();
const nameOf = (listing: Listing): string => `${listing.path}?${filtersOf(listing)}`;

const defaultPageSize = 100;
export const maxPageSize = 500;

const parsePageSize = (text: string | null): number => {
  if (text === null || text === '') return defaultPageSize;
  if (!/^\d{1,9}$/.test(text))
    throw new CarnetError('invalid_request', 'The parameter page_size must be a whole number.');
  return Math.min(Number(text), maxPageSize) || defaultPageSize;
};

/** What `page_size` and `page_token` ask for. */
export interface PageQuery {
  readonly pageSize: number;
  readonly after: string | undefined;
}

/** @throws CarnetError `invalid_request` */
export const parsePageQuery = (query: URLSearchParams, pageTokens: PageTokens, listing: Listing): PageQuery => {
  const token = query.get('page_token');
  const pageSize = parsePageSize(query.get('page_size'));
  return { pageSize, after: token ? pageTokens.open(nameOf(listing), token) || undefined : undefined };
};

export interface Links extends Listing {
  readonly pageSize: number;
  readonly next: string | undefined;
}

/** The `Link` header (RFC 8288): the first page and, if there is one, the next. */
export const linkHeader = (pageTokens: PageTokens, { pageSize, next, ...listing }: Links): string => {
  const filters = filtersOf(listing);
  const name = nameOf(listing);
  const rest = filters === '' ? '' : `&${filters}`;
  // A page token has the alphabet of a JWE, which needs no escaping.
  const link = (rel: string, after = ''): string =>
    `<${listing.path}?page_size=${pageSize}&page_token=${pageTokens.seal(name, after)}${rest}>; rel="${rel}"`;
  return next === undefined ? link('first') : `${link('first')},${link('next', next)}`;
};
