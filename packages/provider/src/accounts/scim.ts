import type { AccountsConfig, ManagementOperations } from '@carnet/accounts';
import { createTokenBucket } from '@carnet/adapter-contract/kit';
import type { Scim } from '@carnet/scim';
import { readBody } from '../http/read-body.ts';
import { completeResponse, type EndpointHandler, securityHeaders } from '../http/response.ts';
import { adminRequest } from '../telemetry/audit.ts';
import { loadAccountsPackage } from './open-accounts.ts';

export const scimPath = '/scim/v2';

/** The route of SCIM at a path below the issuer, for logs and metrics. */
export const scimRouteOf = (path: string): string | undefined => {
  if (path !== scimPath && !path.startsWith(`${scimPath}/`)) return undefined;
  const [, kind, id] = /^\/(Users|Groups)(\/.*)?$/.exec(path.slice(scimPath.length)) ?? [];
  return kind === undefined ? scimPath : `${scimPath}/${kind}${id ? '/:id' : ''}`;
};

const handlerOf =
  (scim: Scim, mostBodyBytes: number): EndpointHandler =>
  async (message, _hostHeaders, requestId) => {
    const [path = '', query] = (message.url ?? '').split(/\?(.*)/s);
    const response = await scim.handle({
      method: message.method ?? 'GET',
      path: path.slice(scimPath.length),
      query: new URLSearchParams(query),
      headers: message.headers,
      body: () => readBody(message, mostBodyBytes),
    });
    return completeResponse(response, { ...securityHeaders, 'X-Request-Id': requestId });
  };

export interface ScimEndpointOptions extends ManagementOperations {
  readonly config: AccountsConfig['scim'];
  readonly issuer: string;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** The endpoint of SCIM. Undefined, and nothing is loaded, if it is off. @throws ConfigError if its package is not installed */
export const openScim = async (options: ScimEndpointOptions): Promise<EndpointHandler | undefined> => {
  const { enabled, requestsPerSecond, emailsVerified } = options.config;
  if (!enabled) return undefined;
  const scim = (await loadAccountsPackage('@carnet/scim')) as typeof import('@carnet/scim');
  const { users, groups, issuer, now, onError, config } = options;
  const takePlace = createTokenBucket({ perSecond: requestsPerSecond, atOnce: 10 * requestsPerSecond, now });
  // Audit records name the caller, as those of requests with an admin token do.
  const runAs = <T>(adminTokenName: string, run: () => T) => adminRequest.run({ adminTokenName }, run);
  const access = { tokens: scim.configuredTokens(config), takePlace, runAs };
  const created = scim.createScim({ users, groups, baseUrl: issuer + scimPath, emailsVerified, onError, ...access });
  return handlerOf(created, scim.mostBodyBytes);
};
