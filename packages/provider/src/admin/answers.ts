import { CarnetError } from '../errors.ts';
import type { createPageTokens } from '../flow/page-tokens.ts';
import type { HttpRequest, HttpResponse } from '../http/types.ts';
import { maxPageSize, type Page } from '../storage/page.ts';

export type PageTokens = ReturnType<typeof createPageTokens>;

/** The dependency of routes that answer with lists. */
export interface Paged {
  readonly pageTokens: PageTokens;
}

/** A list, as far as its page tokens are concerned. */
interface Listing extends Paged {
  readonly path: string;
  /** Other parameters of the query; empty ones are left out. */
  readonly filters: Readonly<Record<string, string>>;
}

/** The parameters of every list, for its description. */
export const pageParameters = (items: string) => ({
  page_size: `The maximum number of ${items} on a page, 1 to 500. Default 100.`,
  page_token: 'The value from the Link header of the previous page.',
});

const defaultPageSize = 100;

const parsePageSize = (text: string | null): number => {
  if (text === null || text === '') return defaultPageSize;
  if (!/^\d{1,9}$/.test(text))
    throw new CarnetError('invalid_request', 'The parameter page_size must be a whole number.');
  return Math.min(Number(text), maxPageSize) || defaultPageSize;
};

/** A query parameter that is given at most once (RFC 6749, section 3.2). An empty one is the same as none. */
export const parameter = (query: URLSearchParams, name: string): string | undefined => {
  const values = query.getAll(name);
  if (values.length > 1) throw new CarnetError('invalid_request', `The parameter ${name} is given more than once.`);
  return values[0] || undefined;
};

/**
 * Answers with the page that `page_size` and `page_token` ask for, and a `Link` header (RFC 8288) to the first page and
 * to the next, if there is one.
 */
export const answerPage = async <T>(
  { query }: Pick<HttpRequest, 'query'>,
  { path, filters, pageTokens }: Listing,
  list: (page: { readonly limit: number; readonly after?: string }) => Promise<Page<T>>,
  toBody: (items: readonly T[]) => readonly object[] | string,
): Promise<HttpResponse> => {
  const rest = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString();
  const name = `${path}?${rest}`;
  const token = query.get('page_token');
  const limit = parsePageSize(query.get('page_size'));
  const after = token ? pageTokens.open(name, token) || undefined : undefined;
  const { items, next } = await list({ limit, after });
  // A page token has the alphabet of a JWE, which needs no escaping.
  const link = (rel: string, place = ''): string =>
    `<${path}?page_size=${limit}&page_token=${pageTokens.seal(name, place)}${rest && `&${rest}`}>; rel="${rel}"`;
  const headers = { Link: next === undefined ? link('first') : `${link('first')},${link('next', next)}` };
  return { status: 200, headers, body: toBody(items) };
};

/** Answers 204 once the change is made. */
export const answerDone = async (change: Promise<void>): Promise<HttpResponse> => {
  await change;
  return { status: 204 };
};
