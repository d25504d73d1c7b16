import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';

/** A request to a route. */
export interface HttpRequest {
  readonly method: string;
  /** The decoded values of the `:name` segments of the route. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly requestId: string;
  /** The address of the connection, never of a header. */
  readonly address?: string | undefined;
  /** The complete body, read once. @throws CarnetError `payload_too_large` over 256 KiB */
  body(): Promise<Buffer>;
  /** The body as strict JSON, for any Content-Type. @throws CarnetError `invalid_request` */
  json(): Promise<unknown>;
  /** The body as a form (`application/x-www-form-urlencoded`), for any Content-Type. */
  form(): Promise<URLSearchParams>;
}

export type ResponseHeaders = Readonly<Record<string, string | string[]>>;

export interface HttpResponse {
  readonly status: number;
  readonly headers?: ResponseHeaders;
  /** An object is sent as JSON. A string is sent unchanged: set its Content-Type in `headers`. */
  readonly body?: object | string;
  /** Warnings for the operator. They are logged with the request and never sent. */
  readonly warnings?: readonly string[];
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface BodyDescription {
  /** The Content-Type in the document. Routes accept bodies of any Content-Type. Default JSON. */
  readonly type?: 'application/json' | 'application/x-www-form-urlencoded';
  readonly schema: z.ZodType;
}

/** The OpenAPI description of a route. Tests check its responses against it. */
export interface RouteDescription {
  /** The operation id of Hydra, so that generated SDKs have the same method names. */
  readonly operationId: string;
  readonly summary: string;
  /** The query parameters with their descriptions. Optional unless listed in `required`. */
  readonly query?: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  readonly body?: BodyDescription;
  /** The responses by status; `null` without a body. Errors of the common form are omitted. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
}

/** One line of a route table. Routes without a description are not in the OpenAPI document. */
export interface Route extends Partial<RouteDescription> {
  readonly method: Method;
  /** Such as `/clients/:id`; a `:name` matches one segment. */
  readonly path: string;
  /** Whether unauthenticated callers may use it. Default false. */
  readonly isOpen?: true;
  /** The action in audit records, such as `client.create`. Absent: no audit record. */
  readonly audit?: `${string}.${string}`;
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
}
