import { errorBody, ScimError, scimErrorOf } from '../protocol/scim-error.ts';

/** An operation on a path: a request, or a part of a bulk request. */
export interface Operation {
  readonly method: string;
  /** The path below the base URL, such as `/Users/users.4f0d`, not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body. @throws ScimError `invalidSyntax` */
  json(): Promise<unknown>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
}

export type Handle = (operation: Operation) => Promise<Answer>;

/** The methods of a path, and what answers them. */
export type Route = readonly [methods: readonly string[], handle: Handle];

export const answer = (
  status: number,
  body: object | undefined,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ status, body, headers });

export const listResponse = (resources: readonly object[], total: number, startIndex: number): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

export interface PerformOptions {
  /** @throws ScimError for an unknown path */
  readonly routeOf: (path: string) => Route;
  /** Takes a place of the rate limit. False: the operation is refused. */
  readonly takePlace: () => boolean;
  /** Called with a failure that is a bug, or an outage. */
  readonly onError: (error: unknown) => void;
}

/** The answer to a failure. */
export const refused = (error: unknown, onError: (error: unknown) => void): Answer => {
  const refusal = scimErrorOf(error);
  if (refusal === undefined || refusal.status >= 500) onError(error);
  const shown = refusal ?? new ScimError(500, 'The request failed.');
  const { status } = shown;
  return answer(status, errorBody(shown), {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="scim"' }),
    ...(status === 429 && { 'Retry-After': '1' }),
    ...(status === 503 && { 'Retry-After': '5' }),
  });
};

/** Answers the operations of these routes. It never throws. */
export const createPerform =
  ({ routeOf, takePlace, onError }: PerformOptions): Handle =>
  async (operation) => {
    try {
      if (!takePlace()) throw new ScimError(429, 'Too many requests. Repeat it in a second.');
      const [methods, handle] = routeOf(operation.path);
      if (methods.includes(operation.method)) return await handle(operation);
      const allow = methods.join(', ');
      return answer(405, errorBody(new ScimError(405, `This path answers ${allow}.`)), { Allow: allow });
    } catch (error) {
      return refused(error, onError);
    }
  };
