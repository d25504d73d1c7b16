import type { IncomingHttpHeaders } from 'node:http';

/** A request as a route sees it. Nothing of it is parsed before it is asked for. */
export interface HttpRequest {
  readonly method: string;
  /** The path without query, as it was sent (still percent-encoded). */
  readonly path: string;
  /** What stands at the `:name` places of the route, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** The whole body, read once. Throws `payload_too_large` over 256 KiB. */
  body(): Promise<Buffer>;
  /** The body as strict JSON, whatever its Content-Type says. Throws `invalid_request`. */
  json(): Promise<unknown>;
  /** The body as a form (`application/x-www-form-urlencoded`), whatever its Content-Type says. */
  form(): Promise<URLSearchParams>;
}

export type ResponseHeaders = Readonly<Record<string, string>>;

export interface HttpResponse {
  readonly status: number;
  readonly headers?: ResponseHeaders;
  /** An object is sent as JSON. A string is sent as it is: say its Content-Type in `headers`. */
  readonly body?: object | string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One line of a route table. */
export interface Route {
  readonly method: Method;
  /** Such as `/clients/:id`; a `:name` matches one segment. */
  readonly path: string;
  /** Answered without asking who calls. Default false. */
  readonly isOpen?: true;
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
}
