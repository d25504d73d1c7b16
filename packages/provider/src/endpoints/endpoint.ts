import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { HttpResponse } from '../http/types.ts';
import type { Browser } from '../interaction/browser.ts';
import { createUnitOfWork } from '../storage/unit-of-work.ts';
import type { EndpointDependencies } from './dependencies.ts';

/**
 * The client and the user of a request, for its audit record. An endpoint sets them as soon as they are known, because the
 * store may fail afterwards.
 */
export interface AuditContext {
  clientId?: string;
  subject?: string;
  grantType?: string;
  registeredAuthMethod?: string;
}

/** A request to a public endpoint: its method is one of the endpoint's, and its parameters are within the limits. */
export interface EndpointRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parameters of the form for POST, of the query for other methods. */
  readonly params: URLSearchParams;
  /** The query after the `?`, not decoded; `''` if there is none. */
  readonly query: string;
  readonly requestId: string;
  /**
   * The origin of the page that sends the request. Pass it to `assertOrigin` when the client is known. Undefined if no page
   * sends it, or if the host application has decided about origins.
   */
  readonly origin: string | undefined;
  /** The message, for the certificate of its connection. */
  readonly message: IncomingMessage;
  readonly auditContext: AuditContext;
}

/**
 * Answers the requests to an endpoint. An error that it throws becomes the response: an {OAuthError} with its own status and
 * headers, any other error by `endpoints/failure-response.ts`.
 */
export type PublicEndpoint = (request: EndpointRequest) => HttpResponse | Promise<HttpResponse>;

/** The visit of a browser with a request of its own unit of work. */
export const visitOf = (
  { headers, message }: EndpointRequest,
  { adapter }: Pick<EndpointDependencies, 'adapter'>,
): Browser => ({ cookieHeader: headers.cookie, message, uow: createUnitOfWork(adapter), cookies: [] });

/** A response with the cookies of a visit. */
export const withCookies = (response: HttpResponse, { cookies }: Browser): HttpResponse =>
  cookies.length === 0 ? response : { ...response, headers: { ...response.headers, 'Set-Cookie': cookies } };
