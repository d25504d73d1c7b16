import { type AdminRequest, type AdminServer, requestAdmin } from '@carnet/adapter-contract/kit';
import { CarnetError } from '@carnet/provider';

type ErrorCode = CarnetError['code'];

/** Sends one request, and returns its response if it is successful. @throws CarnetError, as the function in process does */
export type Call = (request: AdminRequest) => Promise<Response>;

const byStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  403: 'request_forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  412: 'changed',
  413: 'payload_too_large',
  429: 'too_many_attempts',
  503: 'storage_unavailable',
};

/** Errors that have a status in common with another one. */
const byError: Readonly<Record<string, ErrorCode>> = {
  invalid_client_metadata: 'invalid_client_metadata',
  invalid_redirect_uri: 'invalid_redirect_uri',
  not_supported: 'not_supported',
};

const refusalOf = async (response: Response): Promise<CarnetError> => {
  const body: unknown = await response.json().catch(() => undefined);
  const { error, error_description: description } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const code = byError[String(error)] ?? byStatus[response.status] ?? 'server_error';
  // 401 is no fault of the operator: the console has the wrong token.
  const why = response.status === 401 ? 'The admin API does not accept the token of the console.' : description;
  return new CarnetError(code, typeof why === 'string' ? why : '');
};

export const createCall =
  (server: AdminServer): Call =>
  async (request) => {
    // An id that consists of dots would be the path of another resource.
    if (/\/\.\.?(?:\/|$)/.test(request.path)) throw new CarnetError('not_found', 'There is nothing with this id.');
    const response = await requestAdmin(server, request).catch((cause: unknown) => {
      throw new CarnetError('storage_unavailable', 'The admin API does not answer.', { cause });
    });
    if (!response.ok) throw await refusalOf(response);
    return response;
  };

/** A segment of a path. */
export const segment = (text: string): string => `/${encodeURIComponent(text.toWellFormed())}`;

/** The body of a response. Sound because the server is Carnet, whose tests compare its answers with these types. */
export const bodyOf = async <Body>(response: Promise<Response>): Promise<Body> =>
  (await (await response).json()) as Body;

export const done = async (response: Promise<Response>): Promise<void> => {
  await (await response).body?.cancel();
};

export interface PageParameters {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

export const pageParameters = ({ limit, after }: PageParameters) => ({
  page_size: limit?.toString(),
  page_token: after,
});

/** The cursor of the next page in a `Link` header (RFC 8288). Undefined on the last page. */
const nextIn = (response: Response): string | undefined => {
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return (next && new URL(next, 'http://admin').searchParams.get('page_token')) || undefined;
};

/** A page of a list, each item converted from its form on the wire. */
export const pageOf = async <Wire, Item>(answer: Promise<Response>, itemOf: (wire: Wire) => Item) => {
  const response = await answer;
  const items = (await response.json()) as readonly Wire[];
  return { items: items.map(itemOf), next: nextIn(response) };
};

export const dateIn = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));
