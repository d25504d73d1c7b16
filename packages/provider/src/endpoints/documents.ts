import { documentPaths, routes } from '../library/paths.ts';
import type { LeanEndpoint, LeanResponse } from './fast-endpoint.ts';
import { type Reference, renderDocument } from './render-document.ts';

/** A document is the same for all callers while the keys do not change: it is rendered once. */
const documentEndpoint = (reference: Reference, path: string): LeanEndpoint => {
  let isRendering = false;
  let document: LeanResponse | undefined;
  const render = async (): Promise<void> => {
    // If rendering fails, the request is forwarded, and the library handler returns the error.
    document = await renderDocument(reference, path).catch(() => undefined);
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
export const documentEndpoints = (reference: Reference): Readonly<Record<string, LeanEndpoint>> =>
  Object.fromEntries([...documentPaths, routes.jwks].map((path) => [`GET ${path}`, documentEndpoint(reference, path)]));
