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
   * Reports the client and the user of the request for the audit record. Call it as soon as they are known, because the
   * store
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
 * Answers the plain requests of one endpoint as oidc-provider would, at a fraction of its work. Law: whatever is
 * unusual,
 * and whatever is to be refused, it leaves to oidc-provider, by answering nothing, and has changed nothing then. So
 * there
 * is one place that says no, and tests hold the two against each other for what is said yes to. What it throws is
 * answered as a failure (a store that does not answer), and the request is not tried again.
 */
export type FastEndpoint = (request: FastRequest) => FastResponse | undefined | Promise<FastResponse | undefined>;
