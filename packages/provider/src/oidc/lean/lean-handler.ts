import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../../http/read-body.ts';
import { replayForm } from '../form-body.ts';
import { requestIdOf } from '../request-state.ts';
import type { LeanEndpoint, LeanResponse } from './lean-endpoint.ts';
import { parsePlainForm } from './plain-form.ts';

/** Longer forms are no plain requests. */
const maxFormBytes = 8_192;

const noForm: ReadonlyMap<string, string> = new Map();

/** One form, whole, that nobody has read yet, and no page of another origin that asks (CORS). */
const hasPlainForm = (req: IncomingMessage): boolean => {
  const { headers } = req;
  const length = Number(headers['content-length']);
  return (
    headers['content-type'] === 'application/x-www-form-urlencoded' &&
    length > 0 &&
    length <= maxFormBytes &&
    headers['content-encoding'] === undefined &&
    (req as { body?: unknown }).body === undefined &&
    req.readable
  );
};

const send = (res: ServerResponse, { status, headers, body }: LeanResponse): void => {
  res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
};

/** Whether the request was answered; where it was not, it is as it came. */
export type LeanHandler = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;

/** `endpoints` by method and path, such as `POST /oauth2/token`. */
export const createLeanHandler =
  (endpoints: ReadonlyMap<string, LeanEndpoint>): LeanHandler =>
  async (req, res) => {
    const { url = '/', method, headers } = req;
    const at = url.indexOf('?');
    const endpoint = endpoints.get(`${method} ${at < 0 ? url : url.slice(0, at)}`);
    if (endpoint === undefined || headers.origin !== undefined) return false;
    let form = noForm;
    if (method === 'POST') {
      if (!hasPlainForm(req)) return false;
      // One that breaks off is refused by whoever reads it next.
      const bytes = await readBody(req, maxFormBytes).catch(() => undefined);
      if (bytes === undefined) return false;
      replayForm(req, bytes);
      const parsed = parsePlainForm(bytes.toString('latin1'));
      if (parsed === undefined) return false;
      form = parsed;
    }
    const request = { req, query: at < 0 ? '' : url.slice(at + 1), form, requestId: requestIdOf({ res }) };
    const response = await endpoint(request);
    if (response === undefined) return false;
    send(res, response);
    return true;
  };
