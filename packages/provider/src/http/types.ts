import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';

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
  /** Warnings for the operator. They are logged with the request and never sent. */
  readonly warnings?: readonly string[];
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface BodyDescription {
  /** Of what is sent. Told apart for the reader alone: bodies are read whatever their Content-Type. Default JSON. */
  readonly type?: 'application/json' | 'application/x-www-form-urlencoded';
  readonly schema: z.ZodType;
}

/** What the OpenAPI document says of a route. Its answers are held to it in the tests. */
export interface RouteDescription {
  /** Hydra's own, so that generated SDKs name their methods alike. */
  readonly operationId: string;
  readonly summary: string;
  /** The query parameters, each with what it is for. Optional unless listed in `required`. */
  readonly query?: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  readonly body?: BodyDescription;
  /** What is answered by status, `null` without a body. Errors of the usual form need no mention. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
}

/** One line of a route table. */
export interface Route {
  readonly method: Method;
  /** Such as `/clients/:id`; a `:name` matches one segment. */
  readonly path: string;
  /** Answered without asking who calls. Default false. */
  readonly isOpen?: true;
  readonly description?: RouteDescription;
  /** What calling it is called in the audit records, such as `client.create`. Absent: it changes nothing worth one. */
  readonly audit?: `${string}.${string}`;
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
}
