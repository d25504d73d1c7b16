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

/** The default of `page_size`. */
export const defaultPageSize = '100';

/** The descriptions of `pageQuery`. */
export const pageQueryOf = (what: string) => ({
  page_size: `The maximum number of ${what} on a page, 1 to 500. Default ${defaultPageSize}.`,
  page_token: 'The value from the Link header of the previous page.',
});

/** The parameters of a query. One that is given twice is no text, and refused. */
export const parametersIn = (query: URLSearchParams, { shape }: z.ZodObject) =>
  Object.fromEntries(
    Object.keys(shape).map((name) => {
      const values = query.getAll(name);
      return [name, values.length > 1 ? values : values[0] || undefined];
    }),
  );

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

/** The `Link` header with the next page, which has the same parameters. */
export const nextLink = (
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  next: string | undefined,
): Pick<ManagementAnswer, 'headers'> => {
  if (next === undefined) return {};
  const given = Object.entries({ ...query, page_token: next }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { headers: { Link: `<${path}?${new URLSearchParams(given)}>; rel="next"` } };
};
