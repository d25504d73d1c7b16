import { type ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { documentPaths, routes } from '../library/paths.ts';
import type { FastEndpoint, FastResponse } from './fast-endpoint.ts';

/** The handler of oidc-provider, with the headers that every response has. */
export type LibraryHandler = (req: IncomingMessage, res: ServerResponse, requestId: string) => Promise<void>;

/** The headers with their names as they are sent. Node's types have the method for requests only. */
const headersOf = (res: ServerResponse): FastResponse['headers'] => {
  const names = (res as ServerResponse & Pick<ClientRequest, 'getRawHeaderNames'>).getRawHeaderNames();
  return Object.fromEntries(names.map((name) => [name, res.getHeader(name)]));
};

/**
 * Renders a document with the library handler, for a GET request without a connection and host application. Undefined if
 * the response is not the document.
 */
const renderDocument = async (libraryHandler: LibraryHandler, path: string): Promise<FastResponse | undefined> => {
  const req = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: path });
  const res = new ServerResponse(req);
  let body: Buffer | undefined;
  res.end = (written?: unknown) => {
    if (typeof written === 'string') body = Buffer.from(written);
    return res;
  };
  await libraryHandler(req, res, '');
  if (body === undefined || res.statusCode !== 200) return undefined;
  return { status: 200, headers: headersOf(res), isComplete: true, body };
};

/** A document is the same for all callers while the keys do not change: it is rendered once. */
const documentEndpoint = (libraryHandler: LibraryHandler, path: string): FastEndpoint => {
  let isRendering = false;
  let document: FastResponse | undefined;
  const render = async (): Promise<void> => {
    // If rendering fails, the request is forwarded, and the library handler returns the error.
    document = await renderDocument(libraryHandler, path).catch(() => undefined);
  };
  return ({ query }) => {
    if (!isRendering) {
      isRendering = true;
      void render();
    }
    return query === '' ? document : undefined;
  };
};

/** The provider's metadata and its public keys. */
export const documentEndpoints = (libraryHandler: LibraryHandler): Readonly<Record<string, FastEndpoint>> =>
  Object.fromEntries(
    [...documentPaths, routes.jwks].map((path) => [`GET ${path}`, documentEndpoint(libraryHandler, path)]),
  );
