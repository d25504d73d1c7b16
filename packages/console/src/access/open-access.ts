import type { Language } from '../messages/languages.ts';
import type { AuditLogger } from '../page/audit.ts';
import { pathIn } from '../page/link.ts';
import type { Answer, PageContext } from '../page/route.ts';
import type { ConsoleServer } from '../server/console-server.ts';
import type { Access, Identified } from './access.ts';
import { createAccessPages } from './access-pages.ts';
import { type Attempt, createRelyingParty } from './relying-party.ts';
import { createSealedCookie } from './sealed-cookie.ts';
import { deriveSecrets } from './secrets.ts';
import { createSessionChecks, type Session } from './session.ts';
import { createSessionWatch } from './session-watch.ts';
import type { AccessRules, SessionLimits } from './settings.ts';

export interface AccessDependencies {
  readonly server: ConsoleServer;
  readonly rules: AccessRules;
  readonly limits: Required<SessionLimits>;
  /** The current one first. */
  readonly secrets: readonly [string, ...string[]];
  readonly clientId: string;
  /** The URL of the console. */
  readonly url: URL;
  readonly link: PageContext['link'];
  readonly logger: AuditLogger & { warn(fields: object, message: string): void };
  readonly now: () => number;
}

const attemptSeconds = 600;

/** The scopes that carry the usual claims, and the scope of the name of the claim that decides about roles. */
const scopeOf = ({ claim = 'groups' }: AccessRules): string => {
  const isUsual = ['sub', 'name', 'email', 'preferred_username'].includes(claim);
  return ['openid', 'profile', 'email', ...(isUsual ? [] : [claim])].join(' ');
};

const found = (location: string, ...cookies: readonly string[]): Response => {
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
};

/** The code of an error, without its causes: they may quote the answer of the provider, with its code. */
const reasonOf = (error: unknown): string => {
  const { error: ofProvider, code, name } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return String(ofProvider ?? code ?? name);
};

const openParts = ({ server, rules, limits, url, link, now, clientId, ...rest }: AccessDependencies) => {
  const secrets = deriveSecrets(rest.secrets);
  const checks = createSessionChecks({ server, rules, limits, now });
  // Consoles at one host keep their sessions apart: the cookies of `/issuers/acme/console` have other names than those of `/console`.
  const above = link('/').split('/').slice(1, -2);
  const nameOf = (name: string): string => [name, ...above].join('.').replaceAll(/[^\w.-]/g, '');
  const cookie = { secrets, url, now };
  const absolute = (path: string, query?: Record<string, string>): string => `${url.origin}${link(path, query)}`;
  return {
    absolute,
    sessions: createSealedCookie<Session>({ name: nameOf('carnet-console'), ...cookie }),
    attempts: createSealedCookie<Attempt>({ name: nameOf('carnet-console-sign-in'), ...cookie }),
    checks,
    watch: createSessionWatch(async (session) => typeof (await checks.check(session)) === 'object'),
    pages: createAccessPages(link, server.issuer),
    party: createRelyingParty(server, {
      clientId,
      redirectUri: absolute('/session/callback'),
      secret: secrets.clientSecret,
      scope: scopeOf(rules),
      sessionSeconds: limits.maximumSeconds,
    }),
  };
};

type AccessParts = ReturnType<typeof openParts>;
type Answerer = (request: Request, language: Language) => Promise<Answer>;

const createCallback =
  (parts: AccessParts, { logger, limits }: Pick<AccessDependencies, 'logger' | 'limits'>): Answerer =>
  async (request, language) => {
    const { attempts, sessions, checks, party, pages, absolute } = parts;
    const attempt = await attempts.open(request);
    const query = new URL(request.url).searchParams;
    // The one step that keeps an attacker from signing a browser in as another user: the cookie has this state.
    if (attempt === undefined || query.get('state') !== attempt.state) return pages.failed(language, 'otherBrowser');
    const signedIn = await party.finish(query, attempt).catch((error: unknown) => {
      logger.warn({ reason: reasonOf(error) }, 'a sign-in at the console failed');
      return undefined;
    });
    if (signedIn === undefined) return pages.failed(language, 'refused');
    const session = await checks.begin(signedIn);
    const audited = { action: 'console.session.begin', operator: String(signedIn.claims.sub) };
    logger.info({ audit: { ...audited, outcome: session === undefined ? 'denied' : 'success' } }, 'audit');
    if (session !== undefined) {
      const cookie = await sessions.seal(session, limits.maximumSeconds);
      return found(absolute('') + attempt.to, cookie, attempts.clear());
    }
    await party.revoke(signedIn.accessToken);
    return pages.withoutRole(language);
  };

/** Signs operators in by the provider itself. */
export const openAccess = (dependencies: AccessDependencies): Access => {
  const { server, limits, link, now, logger } = dependencies;
  const parts = openParts(dependencies);
  const { absolute, sessions, attempts, checks, watch, pages, party } = parts;

  /** Absolute: the browser may have called the console by another name of its host, for which there are no cookies. */
  const toSignIn = ({ method, headers }: Request, path: string, language: Language): Answer => {
    // A script or a stream cannot sign in: only a page that the browser shows is redirected.
    const isPage = (headers.get('sec-fetch-dest') ?? 'document') === 'document';
    return method === 'GET' && isPage ? found(absolute('/session/begin', { to: path })) : pages.ended(language);
  };

  const begin: Answerer = async (request) => {
    const { attempt, url } = await party.begin(pathIn(new URL(request.url).searchParams.get('to')));
    return found(url, await attempts.seal(attempt, attemptSeconds));
  };

  const end: Answerer = async (request) => {
    const session = await sessions.open(request);
    if (session !== undefined) {
      // Inactive if the session has ended already, such as by another tab: then this sign-out ends none.
      const token = await server.tokens.introspect(session.token);
      // A copy of the cookie is worthless from here on: each request checks whether this token is active.
      await party.revoke(session.token);
      watch.end(session.token);
      const audited = { action: 'console.session.end', outcome: 'success' };
      if (token.active) logger.info({ audit: { ...audited, operator: token.sub } }, 'audit');
    }
    return found(link('/session/ended'), sessions.clear());
  };

  const routes: Readonly<Record<string, Answerer>> = {
    'GET /session/begin': begin,
    'GET /session/callback': createCallback(parts, dependencies),
    'POST /session/end': end,
    'GET /session/ended': async (_, language) => pages.signedOut(language),
  };

  return {
    async identify(request, path, language): Promise<Identified | Answer> {
      const session = await sessions.open(request);
      if (session === undefined) return toSignIn(request, path, language);
      const checked = await checks.check(session);
      if (checked === 'without role') return pages.withoutRole(language);
      if (checked === 'ended' || checked === 'renew') return toSignIn(request, path, language);
      const seen = checks.seen(session);
      const rest = session.begunAt + limits.maximumSeconds - Math.floor(now() / 1000);
      const cookie = seen && (await sessions.seal(seen, rest));
      return { ...checked, cookie, watchSession: () => watch.watch(session) };
    },
    answer: async (request, path, language) => routes[`${request.method} ${path}`]?.(request, language),
    changed: watch.checkAll,
  };
};
