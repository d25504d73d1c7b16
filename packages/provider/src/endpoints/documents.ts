import { documentPaths, routes } from '../library/paths.ts';
import type { FastEndpoint, FastResponse } from './fast-endpoint.ts';
import { type LibraryHandler, renderDocument } from './render-document.ts';

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
