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

interface Holder extends Pick<NamedToken, 'name' | 'rights'> {
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

const holderOf = ({ name, rights, value = '', file }: NamedToken): Holder => {
  let digests = file === undefined ? splitTokens(value).map(digest) : digestsIn(file);
  if (digests.length === 0) {
    throw new ConfigError([
      `admin.tokens of "${name}": ${file ?? 'value'} can't be read, or has no token of 16 or more characters.`,
    ]);
  }
  let readAt = performance.now();
  return {
    name,
    rights,
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

/**
 * Authorizes a caller of the admin API: one with a token whose rights allow the route or, if no token is configured, any
 * program on this machine.
 *
 * @returns a function that throws CarnetError `unauthorized` (401) or `request_forbidden` (403). For an unknown path, call it
 * without a route.
 * @throws ConfigError for a file without a token
 */
export const createAdminAuthorize = ({ token, tokens = [] }: AdminAuthorizeOptions) => {
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
    const given = digest(bearer.exec(request.headers.authorization ?? '')?.[1] ?? '');
    // Digests have one length, and all are compared in constant time: the duration reveals nothing about a guess.
    const matching = holders.filter(
      ({ digests }) => digests().filter((expected) => timingSafeEqual(given, expected)).length > 0,
    );
    const allowed = matching.find((holder) => route === undefined || mayUse(holder, route));
    const name = (allowed ?? matching[0])?.name;
    if (name === undefined) throw new CarnetError('unauthorized', 'Send an admin token: "Authorization: Bearer ...".');
    Object.assign(adminRequest.getStore() ?? {}, { adminTokenName: name });
    if (allowed === undefined)
      throw new CarnetError('request_forbidden', `The rights of the token "${name}" do not allow this request.`);
  };
};
