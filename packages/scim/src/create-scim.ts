import type { GroupOperations, UserOperations } from '@carnet/accounts';
import { createAccess } from './protocol/access.ts';
import { createDiscovery } from './protocol/discovery.ts';
import { createProjection } from './protocol/projection.ts';
import { badRequest, errorBody, notFound, ScimError, scimErrorOf } from './protocol/scim-error.ts';
import { createGroupResources } from './resources/groups.ts';
import type { Resources } from './resources/resource.ts';
import { createUserResources } from './resources/users.ts';
import type { Attributes } from './schema/attribute.ts';
import { isObject } from './schema/normalise.ts';

/** A request to SCIM. */
export interface ScimRequest {
  readonly method: string;
  /** The path below the base URL, such as `/Users/users.4f0d`, not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The whole body. The caller limits its size. */
  body(): Promise<Uint8Array>;
}

export interface ScimResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. Absent for 204 and 304. */
  readonly body?: string | undefined;
}

export interface ScimOptions {
  /** `carnet.users`. */
  readonly users: Pick<UserOperations, 'list' | 'get' | 'create' | 'update' | 'delete'>;
  /** `carnet.groups`. */
  readonly groups: GroupOperations;
  /** The URL of SCIM, without a slash at the end: `https://id.example.com/scim/v2`. */
  readonly baseUrl: string;
  /** The accepted bearer tokens, or `sha256:` and the digest of one in hexadecimal. */
  readonly tokens: readonly string[];
  /** Whether email addresses of the client are known to belong to their users. Default false. */
  readonly emailsVerified?: boolean | undefined;
  /** Takes a place of the rate limit. False: the request is refused with 429. Default: no limit. */
  readonly takePlace?: (() => boolean) | undefined;
  /** Called with a failure that is a bug, or an outage. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** SCIM 2.0 for one base URL. It never throws: failures are responses. */
export interface Scim {
  handle(request: ScimRequest): Promise<ScimResponse>;
}

const contentType = 'application/scim+json; charset=utf-8';

const respond = (status: number, body: object | undefined, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers: { ...(body !== undefined && { 'Content-Type': contentType }), 'Cache-Control': 'no-store', ...headers },
  body: body && JSON.stringify(body),
});

const listResponse = (resources: readonly object[], total: number, startIndex: number): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

const defaultCount = 100;
const mostCount = 500;

/** A number of a query. Values that are out of range are the nearest one (RFC 7644, section 3.4.2.4). */
const numberIn = (query: URLSearchParams, name: string, otherwise: number, least: number): number => {
  const text = query.get(name);
  if (text === null || text === '') return otherwise;
  if (!/^-?\d{1,9}$/.test(text)) throw badRequest('invalidValue', `The parameter ${name} must be a whole number.`);
  return Math.max(least, Number(text));
};

const jsonOf = async (request: ScimRequest): Promise<unknown> => {
  const text = new TextDecoder().decode(await request.body());
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('invalidSyntax', 'The body is not valid JSON.');
  }
};

/** The version in `If-Match`, weak or strong. A text that is no entity tag matches no version. */
const versionIn = ({ headers }: ScimRequest, name: 'if-match' | 'if-none-match'): string | undefined => {
  const header = headers[name];
  if (header === undefined || header === '*') return undefined;
  return /^(?:W\/)?"([^"]*)"$/.exec(String(header))?.[1] ?? 'none';
};

const etagOf = ({ meta }: Attributes): string => String((meta as { readonly version?: string }).version);
const locationOf = ({ meta }: Attributes): string => String((meta as { readonly location?: string }).location);

type Handle = (request: ScimRequest) => Promise<ScimResponse>;

const answerList = async (resources: Resources, query: URLSearchParams): Promise<ScimResponse> => {
  const projection = createProjection(query, resources.resourceType);
  const startIndex = numberIn(query, 'startIndex', 1, 1);
  const limit = Math.min(numberIn(query, 'count', defaultCount, 0), mostCount);
  const filter = query.get('filter') || undefined;
  const page = await resources.list({ filter, offset: startIndex - 1, limit }, projection.wants);
  return respond(200, listResponse(page.resources.map(projection.apply), page.total, startIndex));
};

const collectionOf =
  (resources: Resources): Handle =>
  async (request) => {
    if (request.method === 'GET') return answerList(resources, request.query);
    const projection = createProjection(request.query, resources.resourceType);
    const created = await resources.create(await jsonOf(request), projection.wants);
    return respond(201, projection.apply(created), { Location: locationOf(created), ETag: etagOf(created) });
  };

/** The parameters of a query in a body (RFC 7644, section 3.4.3). */
const queryIn = (body: unknown): URLSearchParams => {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body must be a JSON object.');
  const members = Object.entries(body).filter(
    ([, value]) => /^(?:string|number)$/.test(typeof value) || Array.isArray(value),
  );
  return new URLSearchParams(members.map(([name, value]): [string, string] => [name, String(value)]));
};

const oneOf =
  (resources: Resources, id: string): Handle =>
  async (request) => {
    const projection = createProjection(request.query, resources.resourceType);
    const shown = (resource: Attributes) => respond(200, projection.apply(resource), { ETag: etagOf(resource) });
    const ifVersion = versionIn(request, 'if-match');
    const { wants, isGiven } = projection;
    switch (request.method) {
      case 'PUT':
        return shown(await resources.replace(id, await jsonOf(request), { ifVersion, wants }));
      case 'PATCH': {
        // RFC 7644, section 3.5.2: without `attributes`, the answer may be empty.
        const isShort = resources.isLarge && !isGiven;
        const conditions = { ifVersion, wants: isShort ? () => false : wants };
        const changed = await resources.patch(id, await jsonOf(request), conditions);
        return isShort ? respond(204, undefined, { ETag: etagOf(changed) }) : shown(changed);
      }
      case 'DELETE':
        await resources.remove(id, ifVersion);
        return respond(204, undefined);
      default: {
        const resource = await resources.get(id, wants);
        const isKnown = etagOf(resource) === `W/"${versionIn(request, 'if-none-match') ?? ''}"`;
        return isKnown ? respond(304, undefined, { ETag: etagOf(resource) }) : shown(resource);
      }
    }
  };

const searchSegment = '.search';

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw notFound();
  }
};

const createRoutes = (options: ScimOptions) => {
  const { users, groups, baseUrl, emailsVerified = false } = options;
  const kinds: Readonly<Record<string, Resources>> = {
    Users: createUserResources({ users, baseUrl, emailsVerified }),
    Groups: createGroupResources({ groups, baseUrl }),
  };
  const documents = createDiscovery(baseUrl);
  /** The methods of a path, and what answers them. */
  return (path: string): readonly [methods: readonly string[], handle: Handle] => {
    const [kind = '', id, ...more] = path.replace(/^\//, '').replace(/\/$/, '').split('/').map(decoded);
    const resources = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (resources !== undefined && more.length === 0)
      return id === undefined
        ? [['GET', 'POST'], collectionOf(resources)]
        : id === searchSegment
          ? [['POST'], async (request) => answerList(resources, queryIn(await jsonOf(request)))]
          : [['GET', 'PUT', 'PATCH', 'DELETE'], oneOf(resources, id)];
    const name = `/${[kind, ...(id === undefined ? [] : [id]), ...more].join('/')}`;
    if (name === `/${searchSegment}`)
      throw new ScimError(501, 'Users and groups are searched apart: POST /Users/.search or /Groups/.search.');
    const document = Object.hasOwn(documents, name) ? documents[name] : undefined;
    if (document === undefined) throw notFound();
    return [
      ['GET'],
      async ({ query }) => {
        if (query.has('filter')) throw new ScimError(403, 'These documents have no filters.');
        return respond(200, Array.isArray(document) ? listResponse(document, document.length, 1) : document);
      },
    ];
  };
};

/** SCIM 2.0 (RFC 7644) on the management of users and groups. */
export const createScim = (options: ScimOptions): Scim => {
  const { tokens, takePlace = () => true, onError = () => undefined } = options;
  const authorize = createAccess(tokens);
  const routeOf = createRoutes(options);
  const answer: Handle = async (request) => {
    authorize(request.headers.authorization?.toString());
    if (!takePlace())
      return respond(429, errorBody(new ScimError(429, 'Too many requests. Repeat it in a second.')), {
        'Retry-After': '1',
      });
    const [methods, handle] = routeOf(request.path);
    if (methods.includes(request.method)) return handle(request);
    const allow = methods.join(', ');
    return respond(405, errorBody(new ScimError(405, `This path answers ${allow}.`)), { Allow: allow });
  };
  return {
    async handle(request) {
      try {
        return await answer(request);
      } catch (error) {
        const refusal = scimErrorOf(error);
        if (refusal === undefined || refusal.status >= 500) onError(error);
        const shown = refusal ?? new ScimError(500, 'The request failed.');
        const isUnauthorized = shown.status === 401;
        return respond(shown.status, errorBody(shown), {
          ...(isUnauthorized && { 'WWW-Authenticate': 'Bearer realm="scim"' }),
          ...(shown.status === 503 && { 'Retry-After': '5' }),
        });
      }
    },
  };
};
