import { createDiscovery } from '../protocol/discovery.ts';
import { notFound, ScimError } from '../protocol/scim-error.ts';
import type { Resources } from '../resources/resource.ts';
import { answer, listResponse, type Route } from './operation.ts';
import { collectionOf, resourceOf, searchOf } from './resources.ts';

const searchSegment = '.search';

const notImplemented = (detail: string) => (): never => {
  throw new ScimError(501, detail);
};

const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Paths of RFC 7644 that no configuration has, with the reason. */
const absent: Readonly<Record<string, Route>> = {
  // Section 3.11: 501 if the caller can't be a user.
  '/Me': [everyMethod, notImplemented('The token belongs to a program. There is no user that /Me could be.')],
  [`/${searchSegment}`]: [
    everyMethod,
    notImplemented('Users and groups are searched apart: POST /Users/.search or /Groups/.search.'),
  ],
};

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw notFound();
  }
};

export interface RoutesOptions {
  readonly baseUrl: string;
  /** The resources, by the first segment of their paths. */
  readonly kinds: Readonly<Record<string, Resources>>;
}

/** The routes of users, groups and the documents that describe the server. The function throws ScimError for an unknown path. */
export const createRoutes = ({ baseUrl, kinds }: RoutesOptions): ((path: string) => Route) => {
  const documents = createDiscovery(baseUrl);
  return (path) => {
    const [kind = '', id, ...more] = path.replace(/^\//, '').replace(/\/$/, '').split('/').map(decoded);
    const resources = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (resources !== undefined && more.length === 0) {
      if (id === undefined) return [['GET', 'POST'], collectionOf(resources)];
      if (id === searchSegment) return [['POST'], searchOf(resources)];
      return [['GET', 'PUT', 'PATCH', 'DELETE'], resourceOf(resources, id)];
    }
    const name = `/${[kind, ...(id === undefined ? [] : [id]), ...more].join('/')}`;
    if (Object.hasOwn(absent, name) && absent[name] !== undefined) return absent[name];
    const document = Object.hasOwn(documents, name) ? documents[name] : undefined;
    if (document === undefined) throw notFound();
    return [
      ['GET'],
      async ({ query }) => {
        if (query.has('filter')) throw new ScimError(403, 'These documents have no filters.');
        return answer(200, Array.isArray(document) ? listResponse(document, document.length, 1) : document);
      },
    ];
  };
};
