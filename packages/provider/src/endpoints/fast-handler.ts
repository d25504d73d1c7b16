import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { jsonContentType } from '../http/error-body.ts';
import { readBody } from '../http/read-body.ts';
import { securityHeaders } from '../http/security-headers.ts';
import type { HttpResponse } from '../http/types.ts';
import { auditActionOf, isUndecided } from '../library/audit-middleware.ts';
import type { FailureResponse } from '../library/failure-response.ts';
import { replayForm } from '../library/form-body.ts';
import type { Audit } from '../telemetry/audit.ts';
import type { FastEndpoint, FastRequest, FastResponse } from './fast-endpoint.ts';
import { parsePlainForm } from './form-params.ts';

/** Longer forms are forwarded. */
const maxFormBytes = 8_192;

const noBytes = Buffer.alloc(0);

const formType = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i;

/** A complete form body that was not read yet. */
const hasPlainForm = (req: IncomingMessage): boolean => {
  const { headers } = req;
  const length = Number(headers['content-length']);
  return (
    formType.test(headers['content-type'] ?? '') &&
    length > 0 &&
    length <= maxFormBytes &&
    headers['content-encoding'] === undefined &&
    (req as { body?: unknown }).body === undefined &&
    req.readable
  );
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const conflicting: ReadonlySet<string> = new Set(['content-type', 'pragma', 'set-cookie', 'transfer-encoding', 'vary']);

/** Headers of the host application that oidc-provider would extend, remove or keep. */
const hasConflictingHeaders = (res: ServerResponse): boolean =>
  res.getHeaderNames().some((name) => conflicting.has(name) || name.startsWith('access-control-'));

const toFastResponse = ({ status, headers, body }: HttpResponse): FastResponse => ({
  status,
  refused: (body as { error?: string }).error,
  headers: { 'Content-Type': jsonContentType, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** The bytes of a form body. Undefined if it is no form or is aborted: the library handler refuses such a request. */
const readPlainForm = async (req: IncomingMessage): Promise<Buffer | undefined> =>
  hasPlainForm(req) ? readBody(req, maxFormBytes).catch(() => undefined) : undefined;

/** Whether the request was answered. Otherwise it is unchanged. */
export type FastHandler = (req: IncomingMessage, res: ServerResponse, requestId: string) => Promise<boolean>;

export interface FastHandlerOptions {
  /** By method and path, such as `POST /oauth2/token`. */
  readonly endpoints: ReadonlyMap<string, FastEndpoint>;
  /** For a request without `Origin`. */
  readonly corsHeadersOf: (path: string) => OutgoingHttpHeaders;
  readonly failureResponse: FailureResponse;
  readonly audit: Audit;
}

interface Answerer {
  readonly path: string;
  readonly endpoint: FastEndpoint;
  readonly headers: OutgoingHttpHeaders;
  /** Pages of other origins may call the endpoint. */
  readonly isCors: boolean;
}

interface Sending {
  /** The headers that every response of the endpoint has. */
  readonly common: OutgoingHttpHeaders;
  readonly requestId: string;
}

const send = (res: ServerResponse, response: FastResponse, { common, requestId }: Sending): void => {
  const { status, headers, isComplete, body } = response;
  const own = { 'X-Request-Id': requestId, 'Content-Length': Buffer.byteLength(body) };
  res.writeHead(status, isComplete ? { ...headers, ...own } : { ...common, ...headers, ...own }).end(body);
};

export const createFastHandler = (options: FastHandlerOptions): FastHandler => {
  const { endpoints, corsHeadersOf, failureResponse, audit } = options;
  const answerers = new Map(
    [...endpoints].map(([name, endpoint]): [string, Answerer] => {
      const path = name.slice(name.indexOf(' ') + 1);
      const cors = corsHeadersOf(path);
      const isCors = Object.keys(cors).length > 0;
      return [name, { path, endpoint, headers: { ...securityHeaders, ...cors }, isCors }];
    }),
  );

  const account = ({ req, form, requestId, known }: FastRequest, path: string, { refused }: FastResponse): void => {
    const action = auditActionOf(req.method, path);
    if (action === undefined || isUndecided(refused)) return;
    const isSuccess = refused === undefined;
    audit({
      action,
      outcome: isSuccess ? 'success' : 'denied',
      reason: refused,
      clientId: known.clientId,
      subject: known.subject,
      grantType: isSuccess && action === 'token' ? form.get('grant_type') : undefined,
      requestId,
    });
  };

  const answer = async ({ endpoint, path }: Answerer, request: FastRequest): Promise<FastResponse | undefined> => {
    try {
      const response = await endpoint(request);
      if (response !== undefined) account(request, path, response);
      return response;
    } catch (error) {
      const failure = toFastResponse(failureResponse(error, { path, requestId: request.requestId }));
      account(request, path, failure);
      return failure;
    }
  };

  return async (req, res, requestId) => {
    const { url = '/', method, headers } = req;
    const at = url.indexOf('?');
    const answerer = answerers.get(`${method} ${at < 0 ? url : url.slice(0, at)}`);
    if (answerer === undefined || hasConflictingHeaders(res)) return false;
    // The response to pages of other origins depends on the client (CORS).
    if (answerer.isCors && headers.origin !== undefined) return false;
    const withoutForm = hasBody(req) ? undefined : noBytes;
    const bytes = method === 'POST' ? await readPlainForm(req) : withoutForm;
    const form = bytes && parsePlainForm(bytes.toString('latin1'));
    const query = at < 0 ? '' : url.slice(at + 1);
    const response = form && (await answer(answerer, { req, query, form, requestId, known: {} }));
    if (response) send(res, response, { common: answerer.headers, requestId });
    else if (method === 'POST' && bytes) replayForm(req, bytes);
    return response !== undefined;
  };
};
