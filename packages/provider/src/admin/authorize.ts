import { hash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CarnetError, ConfigError } from '../errors.ts';
import type { HttpRequest, Route } from '../http/types.ts';
import { adminRequest } from '../telemetry/audit.ts';
import { type AdminConfig, type AdminRight, type NamedToken, splitTokens } from './config.ts';

export type AdminAuthorizeOptions = Partial<Pick<AdminConfig, 'token' | 'tokens'>>;

type RoutePattern = Pick<Route, 'method' | 'path'>;

/** Further routes that the management of users needs: sessions can be listed, and lost factors removed. */
const userAids: ReadonlySet<string> = new Set(['/accounts/factors/reset', '/oauth2/auth/sessions/login']);

/** The routes that each right allows. Paths are patterns, without `/admin`. */
const allows: Readonly<Record<AdminRight, (route: RoutePattern) => boolean>> = {
  metrics: ({ path }) => path === '/metrics/prometheus',
  // A GET of a key set returns the private keys of sets that callers have created.
  read: ({ method, path }) => (method === 'GET' ? !path.startsWith('/keys/') : path === '/oauth2/introspect'),
  login: ({ path }) => path.startsWith('/oauth2/auth/requests/'),
  accounts: ({ path }) => path.startsWith('/accounts/') || path.startsWith('/oauth2/auth/sessions/'),
  // Apart from `accounts`, which the login app holds: an attacker there must not create users or delete them.
  users: ({ path }) => /^\/(?:users|groups)(?:\/|$)/.test(path) || userAids.has(path),
  all: () => true,
};

/** A change of a file takes effect after this time, in milliseconds. */
const rereadMs = 1_000;

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/**
 * Without a token anything on this machine may call, a browser that shows a hostile page included: it can send a POST
 * that needs no preflight, as bodies are read whatever their Content-Type. What gives it away are the headers that
 * pages can't suppress; SDKs and servers send neither.
 */
const assertNoPage = ({ headers }: HttpRequest): void => {
  const site = headers['sec-fetch-site'];
  if (headers.origin === undefined && (site === undefined || site === 'none' || site === 'same-origin')) return;
  throw new CarnetError(
    'request_forbidden',
    'The admin API takes no requests from web pages unless an admin token is set.',
  );
};

interface Holder extends Pick<NamedToken, 'name' | 'rights' | 'issuers'> {
  /** The digests of the values that are valid now. */
  digests(): readonly Buffer[];
}

/** A file that can't be read has no valid token: an operator may remove it to lock its holder out. */
const digestsIn = (file: string): readonly Buffer[] => {
  try {
    return splitTokens(readFileSync(file, 'utf8')).map(digest);
  } catch {
    return [];
  }
};

const holderOf = ({ value = '', file, ...token }: NamedToken): Holder => {
  const { name } = token;
  let digests = file === undefined ? splitTokens(value).map(digest) : digestsIn(file);
  if (digests.length === 0) {
    throw new ConfigError([
      `admin.tokens of "${name}": ${file ?? 'value'} can't be read, or has no token of 16 or more characters.`,
    ]);
  }
  let readAt = performance.now();
  return {
    ...token,
    digests() {
      if (file === undefined || performance.now() - readAt < rereadMs) return digests;
      readAt = performance.now();
      digests = digestsIn(file);
      return digests;
    },
  };
};

const mayUse = ({ rights }: Holder, { method, path }: RoutePattern): boolean =>
  rights.some((right) => allows[right]({ method, path: path.replace(/^\/admin\//, '/') }));

/** The holders of the token of a request. */
const matchingOf = (holders: readonly Holder[], authorization: string | undefined): readonly Holder[] => {
  const given = digest(bearer.exec(authorization ?? '')?.[1] ?? '');
  // Digests have one length, and all are compared in constant time: the duration reveals nothing about a guess.
  return holders.filter(({ digests }) => digests().filter((expected) => timingSafeEqual(given, expected)).length > 0);
};

/** The issuers to which the token of a request is bound, for programs with several issuers. It authorizes nothing. */
export const createTokenBindings = (tokens: readonly NamedToken[]) => {
  const holders = tokens.filter(({ issuers }) => issuers !== undefined).map(holderOf);
  return (authorization: string | undefined): readonly string[] | undefined =>
    holders.length === 0 ? undefined : matchingOf(holders, authorization)[0]?.issuers;
};

/**
 * Authorizes a caller of the admin API: one with a token whose rights allow the route or, if no token is configured, any
 * program on this machine.
 *
 * @param issuerName which of several issuers it is: tokens may be bound to others
 * @returns a function that throws CarnetError `unauthorized` (401) or `request_forbidden` (403). For an unknown path, call it
 * without a route.
 * @throws ConfigError for a file without a token
 */
export const createAdminAuthorize = ({ token, tokens = [] }: AdminAuthorizeOptions, issuerName?: string) => {
  const holders = tokens.map(holderOf);
  if (token !== undefined) {
    const digests = [digest(token)];
    holders.push({ name: 'admin.token', rights: ['all'], digests: () => digests });
  }
  return (request: HttpRequest, route: RoutePattern | undefined): void => {
    if (holders.length === 0) {
      assertNoPage(request);
      return;
    }
    const matching = matchingOf(holders, request.headers.authorization);
    // The one step that keeps the token of one issuer from being used at another.
    const here = matching.filter(({ issuers }) => issuers?.includes(issuerName ?? '(first)') ?? true);
    const allowed = here.find((holder) => route === undefined || mayUse(holder, route));
    const name = (allowed ?? here[0] ?? matching[0])?.name;
    if (name === undefined) throw new CarnetError('unauthorized', 'Send an admin token: "Authorization: Bearer ...".');
    Object.assign(adminRequest.getStore() ?? {}, { adminTokenName: name });
    if (here.length === 0) throw new CarnetError('request_forbidden', `The token "${name}" is bound to other issuers.`);
    if (allowed === undefined)
      throw new CarnetError('request_forbidden', `The rights of the token "${name}" do not allow this request.`);
  };
};
