import type { IncomingMessage } from 'node:http';
import { readBody } from './read-body.ts';
import { parseJson } from './strict-json.ts';
import type { HttpRequest } from './types.ts';

export interface Target {
  readonly path: string;
  readonly search: string;
}

/** The request target's path and query. In the absolute form (`GET http://host/path`) the host was checked before. */
export const parseTarget = (target: string): Target => {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  const mark = local.indexOf('?');
  return mark < 0 ? { path: local, search: '' } : { path: local.slice(0, mark), search: local.slice(mark + 1) };
};

export interface RequestParts {
  readonly message: IncomingMessage;
  readonly target: Target;
  readonly params: HttpRequest['params'];
  readonly requestId: string;
}

const maxBodyBytes = 262_144;

export const createRequest = ({ message, target, params, requestId }: RequestParts): HttpRequest => {
  let query: URLSearchParams | undefined;
  let body: Promise<Buffer> | undefined;
  const readOnce = (): Promise<Buffer> => {
    body ??= readBody(message, maxBodyBytes);
    return body;
  };
  return {
    method: message.method as string,
    path: target.path,
    params,
    get query() {
      query ??= new URLSearchParams(target.search);
      return query;
    },
    headers: message.headers,
    requestId,
    address: message.socket?.remoteAddress,
    body: readOnce,
    json: async () => parseJson(await readOnce(), { maxBytes: maxBodyBytes }),
    form: async () => new URLSearchParams((await readOnce()).toString()),
  };
};
