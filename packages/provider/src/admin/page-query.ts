import { CarnetError } from '../errors.ts';

/** Page tokens that say nothing to whoever carries them, and are taken back only as they were given. */
export interface PageTokens {
  seal(text: string): string;
  /** @throws CarnetError `invalid_request` when the token is not one that `seal` made */
  open(token: string): string;
}

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
export const parsePageQuery = (query: URLSearchParams, pageTokens: PageTokens): PageQuery => {
  const token = query.get('page_token');
  const pageSize = parsePageSize(query.get('page_size'));
  return { pageSize, after: token ? pageTokens.open(token) || undefined : undefined };
};

export interface Links {
  readonly path: string;
  readonly pageSize: number;
  /** Other parameters of the query; empty ones are left out. */
  readonly filters: Readonly<Record<string, string>>;
  readonly next: string | undefined;
}

/** The `Link` header (RFC 8288): the first page and, if there is one, the next. */
export const linkHeader = (pageTokens: PageTokens, { path, pageSize, filters, next }: Links): string => {
  const filtered = Object.entries(filters).filter(([, value]) => value !== '');
  const rest = filtered.length === 0 ? '' : `&${new URLSearchParams(filtered)}`;
  // A page token has the alphabet of a JWE, which needs no escaping.
  const link = (rel: string, after = ''): string =>
    `<${path}?page_size=${pageSize}&page_token=${pageTokens.seal(after)}${rest}>; rel="${rel}"`;
  return next === undefined ? link('first') : `${link('first')},${link('next', next)}`;
};
