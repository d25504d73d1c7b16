import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { jsonContentType } from '../http/error-body.ts';

/** A request on the fast path, as far as the handler has read it. */
export interface FastRequest {
  readonly req: IncomingMessage;
  /** The query after the `?`, not decoded; `''` if there is none. */
  readonly query: string;
  /** The parameters of a POSTed form, each once; empty for GET. */
  readonly form: ReadonlyMap<string, string>;
  readonly requestId: string;
  /**
   * The client and the user of the request, for the audit record. Set them as soon as they are known, because the store
   * may fail afterwards.
   */
  readonly known: { clientId?: string; subject?: string };
}

export interface FastResponse {
  readonly status: number;
  /** They override the headers of every response, and those of CORS. */
  readonly headers: OutgoingHttpHeaders;
  /** `headers` are complete, except for the request id. */
  readonly isComplete?: true;
  readonly body: string | Buffer;
  /** The OAuth error in the body, for the audit record. */
  readonly refused?: string;
}

const jsonHeaders = { 'Content-Type': jsonContentType };

export const jsonResponse = (body: object): FastResponse => ({
  status: 200,
  headers: jsonHeaders,
  body: JSON.stringify(body),
});

/**
 * Answers the requests of one endpoint that the fast path supports, with the response that oidc-provider would send.
 * For every other request, and for every request that must be refused, it returns undefined and has changed nothing:
 * the request is forwarded to oidc-provider. Tests compare the responses of both.
 *
 * An error that it throws, such as an outage of the store, becomes the response. The request is not forwarded then.
 */
export type FastEndpoint = (request: FastRequest) => FastResponse | undefined | Promise<FastResponse | undefined>;
