import { endpointSegments, pathOf } from '../config/addresses.ts';
import type { Issuer } from '../ports.ts';
import { hostIn, type RequestAddress } from './request-address.ts';

/** The paths at which clients look for the metadata of an issuer with a path (RFC 8414, section 3.1). */
const metadata = /^\/\.well-known\/(?:openid-configuration|oauth-authorization-server)(?=\/)/;

/** Whether Carnet may answer the path for an issuer. Other paths are those of the host application. */
export const isOwnPath = ({ config }: Issuer, path: string): boolean => {
  const base = pathOf(config.issuer);
  if (base !== '' && metadata.test(path) && path.replace(metadata, '') === base) return true;
  return endpointSegments.has(path.slice(base.length + 1).split('/', 1)[0] ?? '');
};

/** The hosts of an issuer: that of its URL, that of its endpoints with client certificates, and those that are allowed. */
const hostsOf = ({ config: { issuer, features, http } }: Issuer): readonly string[] => [
  ...[issuer, features.mtls.baseUrl].flatMap((url) => (url === undefined ? [] : [new URL(url).host])),
  ...http.allowedHosts,
];

/** The issuers of one host, by their paths without a slash at the end. */
type Paths = Map<string, Issuer>;

/** The longest paths of issuers are shorter: a longer path of a request is cut before it is searched. */
const mostPath = 1_024;

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** The issuer with the longest path that a path is below. */
const longestIn = (paths: Paths, path: string): Issuer | undefined => {
  let base = path.length > mostPath ? parentOf(path.slice(0, mostPath)) : path;
  while (base !== '' && !paths.has(base)) base = parentOf(base);
  return paths.get(base);
};

export type FindIssuer = (address: RequestAddress) => Issuer | undefined;

/**
 * Finds the issuer of a host and a path: the one with the longest path. Several issuers have a host in common if they differ
 * in their paths, or if `http.allowedHosts` lets all have it: of two equal paths, the first is found.
 */
export const createRouteTable = (issuers: Iterable<Issuer>): FindIssuer => {
  const byHost = new Map<string, Paths>();
  for (const issuer of issuers) {
    const path = pathOf(issuer.config.issuer);
    for (const host of new Set(hostsOf(issuer).map(hostIn))) {
      const paths: Paths = byHost.get(host) ?? new Map();
      if (!paths.has(path)) paths.set(path, issuer);
      byHost.set(host, paths);
    }
  }
  return ({ host, path }) => {
    const paths = byHost.get(host) ?? byHost.get(host.replace(/:\d{1,5}$/, ':*'));
    if (paths === undefined) return undefined;
    const document = metadata.test(path) ? paths.get(path.replace(metadata, '')) : undefined;
    return document ?? longestIn(paths, path);
  };
};
