import type { GroupOperations, UserOperations } from '@carnet/accounts';
import { createBulk } from './endpoints/bulk.ts';
import { type Answer, createPerform, type Operation, refused } from './endpoints/operation.ts';
import { createRoutes } from './endpoints/routes.ts';
import { createAccess, type TokenHolder } from './protocol/access.ts';
import { badRequest } from './protocol/scim-error.ts';
import { createGroupResources } from './resources/groups.ts';
import { createUserResources } from './resources/users.ts';

/** A request to SCIM. */
export interface ScimRequest extends Omit<Operation, 'json'> {
  /** The whole body. The caller limits its size to `mostBodyBytes`. */
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
  /** The bearer tokens that allow everything. */
  readonly tokens: readonly TokenHolder[];
  /** Whether email addresses of the client are known to belong to their users. Default false. */
  readonly emailsVerified?: boolean | undefined;
  /** Takes a place of the rate limit. False: the request, or the operation of a bulk request, is refused with 429. Default: no limit. */
  readonly takePlace?: (() => boolean) | undefined;
  /** Runs an authorized request, so that audit records name its token. Default: runs it. */
  readonly runAs?: (<T>(tokenName: string, run: () => T) => T) | undefined;
  /** Called with a failure that is a bug, or an outage. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** SCIM 2.0 for one base URL. It never throws: failures are responses. */
export interface Scim {
  handle(request: ScimRequest): Promise<ScimResponse>;
}

const contentType = 'application/scim+json; charset=utf-8';

const responseOf = ({ status, headers, body }: Answer): ScimResponse => ({
  status,
  headers: { ...(body !== undefined && { 'Content-Type': contentType }), 'Cache-Control': 'no-store', ...headers },
  body: body && JSON.stringify(body),
});

const jsonOf = async (request: ScimRequest): Promise<unknown> => {
  const text = new TextDecoder().decode(await request.body());
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('invalidSyntax', 'The body is not valid JSON.');
  }
};

/** SCIM 2.0 (RFC 7644) on the management of users and groups. */
export const createScim = (options: ScimOptions): Scim => {
  const { users, groups, baseUrl, tokens, emailsVerified = false } = options;
  const { takePlace = () => true, runAs = (_name, run) => run(), onError = () => undefined } = options;
  const authorize = createAccess(tokens);
  const kinds = {
    Users: createUserResources({ users, baseUrl, emailsVerified }),
    Groups: createGroupResources({ groups, baseUrl }),
  };
  const routeOf = createRoutes({ baseUrl, kinds });
  const performOne = createPerform({ routeOf, takePlace, onError });
  const bulk = createBulk({ baseUrl, perform: performOne, onError });
  const perform = createPerform({
    routeOf: (path) => (path === '/Bulk' ? [['POST'], bulk] : routeOf(path)),
    ...{ takePlace, onError },
  });
  const answerTo = async (request: ScimRequest): Promise<Answer> => {
    try {
      const name = authorize(request.headers.authorization?.toString());
      return await runAs(name, () => perform({ ...request, json: () => jsonOf(request) }));
    } catch (error) {
      return refused(error, onError);
    }
  };
  return { handle: async (request) => responseOf(await answerTo(request)) };
};
