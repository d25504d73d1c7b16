import { parametersIn } from '@carnet/adapter-contract/kit';
import { z } from 'zod';

/** A request of the admin API, as the provider hands it over. */
export interface ManagementRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  json(): Promise<unknown>;
}

export interface ManagementAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A line of the route table of the admin API, with its description for OpenAPI. */
export interface ManagementRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: { readonly schema: z.ZodType };
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  handle(request: ManagementRequest): Promise<ManagementAnswer>;
}

/** Checks what a caller has sent. @throws the error that names the member */
export type Parse = <T>(schema: z.ZodType<T>, value: unknown) => T;

/** The parameters of a list that has pages. */
export const pageQuery = {
  page_size: z
    .string()
    .regex(/^(?:[1-9]\d?|[1-4]\d\d|500)$/, 'must be a whole number from 1 to 500')
    .optional(),
  page_token: z.string().max(2048).optional(),
};

const defaultPageSize = '100';

/** The descriptions of `pageQuery`. */
export const pageQueryOf = (what: string) => ({
  page_size: `The maximum number of ${what} on a page, 1 to 500. Default ${defaultPageSize}.`,
  page_token: 'The value from the Link header of the previous page.',
});

interface Page {
  readonly limit: number;
  readonly after: string | undefined;
}

interface Paged<Query> {
  readonly path: string;
  /** With the members of `pageQuery`. */
  readonly schema: z.ZodType<Query> & z.ZodObject;
  readonly parse: Parse;
}

type PageParameters = { readonly [Name in keyof typeof pageQuery]?: string | undefined };

/** Answers with the page that the query asks for, and a `Link` header (RFC 8288) to the next page, which has the same filters. */
export const answerPage = async <Query extends PageParameters>(
  { query }: Pick<ManagementRequest, 'query'>,
  { path, schema, parse }: Paged<Query>,
  read: (
    filters: Omit<Query, keyof PageParameters>,
    page: Page,
  ) => Promise<{ body: object; next?: string | undefined }>,
): Promise<ManagementAnswer> => {
  const parameters = parse(schema, parametersIn(query, Object.keys(schema.shape)));
  const { page_size = defaultPageSize, page_token: after, ...filters } = parameters;
  const { body, next } = await read(filters, { limit: Number(page_size), after });
  if (next === undefined) return { status: 200, body };
  const given = Object.entries({ ...filters, page_size, page_token: next }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { status: 200, headers: { Link: `<${path}?${new URLSearchParams(given)}>; rel="next"` }, body };
};

/** Added to the summary of a change. */
export const onlyVersion = 'With `If-Match`, only the version that the caller has read (412).';

/** `If-Match` (RFC 9110, section 13.1.1). A value that is not a strong entity tag matches no version. */
export const versionIn = ({ headers }: ManagementRequest): { readonly ifVersion?: string } => {
  const header = headers['if-match'];
  if (header === undefined || header === '*') return {};
  return { ifVersion: /^"([^"]*)"$/.exec(String(header))?.[1] ?? 'none' };
};

export const answerDone = async (change: Promise<void>): Promise<ManagementAnswer> => {
  await change;
  return { status: 204 };
};
