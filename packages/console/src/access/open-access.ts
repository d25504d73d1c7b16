import { accessMessages } from '../messages/access/index.ts';
import type { Language } from '../messages/languages.ts';
import type { AuditLogger } from '../page/audit.ts';
import { changeForm } from '../page/form.ts';
import { html } from '../page/html.ts';
import { pathIn } from '../page/link.ts';
import { type Answer, type PageContext, page } from '../page/route.ts';
import type { ConsoleServer } from '../server/console-server.ts';
import type { Access, Identified } from './access.ts';
import { type Attempt, createRelyingParty } from './relying-party.ts';
import { createSealedCookie } from './sealed-cookie.ts';
import { deriveSecrets } from './secrets.ts';
import { createSessionChecks, type Session } from './session.ts';
import type { AccessRules, SessionLimits } from './settings.ts';

export interface AccessDependencies {
  readonly server: ConsoleServer;
  readonly rules: AccessRules;
  readonly limits: Required<SessionLimits>;
  /** The current one first. */
  readonly secrets: readonly [string, ...string[]];
  readonly clientId: string;
  /** Of the console. */
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

/** Signs operators in by the provider itself. */
export const openAccess = (dependencies: AccessDependencies): Access => {
  const { server, rules, limits, url, link, logger, now } = dependencies;
  const secrets = deriveSecrets(dependencies.secrets);
  const isSecure = url.protocol === 'https:';
  const sessions = createSealedCookie<Session>({ name: 'carnet-console', secrets, isSecure, now });
  const attempts = createSealedCookie<Attempt>({ name: 'carnet-console-sign-in', secrets, isSecure, now });
  const checks = createSessionChecks({ server, rules, limits, now });
  const absolute = (path: string, query?: Record<string, string>): string => `${url.origin}${link(path, query)}`;
  const party = createRelyingParty(server, {
    clientId: dependencies.clientId,
    redirectUri: absolute('/session/callback'),
    secret: secrets.clientSecret,
    scope: scopeOf(rules),
    sessionSeconds: limits.maximumSeconds,
  });
  const signIn = (to: string) => link('/session/begin', { to });

  /** Absolute: the browser may have called the console by another name of its host, for which there are no cookies. */
  const toSignIn = ({ method, headers }: Request, path: string, language: Language): Answer => {
    // A script or a stream cannot sign in: only a page that the browser shows is redirected.
    const isPage = (headers.get('sec-fetch-dest') ?? 'document') === 'document';
    if (method === 'GET' && isPage) return found(absolute('/session/begin', { to: path }));
    const texts = accessMessages(language);
    return page(texts.ended, html`<p>${texts.endedForm}</p><p><a href="${signIn('/')}">${texts.signIn}</a></p>`, 401);
  };

  const withoutRole = (language: Language): Answer => {
    const texts = accessMessages(language);
    const body = html`<p>${texts.withoutRole}</p>${changeForm(link('/session/end'), texts.signOut)}`;
    return page(texts.noAccess, body, 403);
  };

  const begin = async (request: Request): Promise<Answer> => {
    const to = pathIn(new URL(request.url).searchParams.get('to'));
    const { attempt, url: target } = await party.begin(to);
    return found(target, await attempts.seal(attempt, attemptSeconds));
  };

  const callback = async (request: Request, language: Language): Promise<Answer> => {
    const texts = accessMessages(language);
    const failed = (why: string, status: number): Answer =>
      page(texts.failed, html`<p>${why}</p><p><a href="${signIn('/')}">${texts.signIn}</a></p>`, status);
    const attempt = await attempts.open(request);
    const query = new URL(request.url).searchParams;
    // The one step that keeps an attacker from signing a browser in as somebody else: the cookie has this state.
    if (attempt === undefined || query.get('state') !== attempt.state) return failed(texts.otherBrowser, 400);
    const signedIn = await party.finish(query, attempt).catch((error: unknown) => {
      logger.warn({ err: error }, 'a sign-in at the console failed');
      return undefined;
    });
    if (signedIn === undefined) return failed(texts.refused, 400);
    const session = await checks.begin(signedIn);
    const audited = { action: 'console.session.begin', operator: String(signedIn.claims.sub) };
    logger.info({ audit: { ...audited, outcome: session === undefined ? 'denied' : 'success' } }, 'audit');
    if (session === undefined) {
      await party.revoke(signedIn.accessToken);
      return withoutRole(language);
    }
    return found(absolute('') + attempt.to, await sessions.seal(session, limits.maximumSeconds), attempts.clear());
  };

  const end = async (request: Request): Promise<Answer> => {
    const session = await sessions.open(request);
    // A copy of the cookie is worthless from here on: each request asks whether this token is active.
    if (session !== undefined) await party.revoke(session.token);
    return found(link('/session/ended'), sessions.clear());
  };

  const ended = (language: Language): Answer => {
    const texts = accessMessages(language);
    return page(
      texts.signedOut,
      html`<p>${texts.signedOutText}</p><ul><li><a href="${signIn('/')}">${texts.signIn}</a></li>
<li><a href="${server.issuer.replace(/\/$/, '')}/oauth2/sessions/logout">${texts.signOutEverywhere}</a></li></ul>`,
    );
  };

  return {
    async identify(request, path, language): Promise<Identified | Answer> {
      const session = await sessions.open(request);
      if (session === undefined) return toSignIn(request, path, language);
      const checked = await checks.check(session);
      if (checked === 'without role') return withoutRole(language);
      if (checked === 'ended' || checked === 'renew') return toSignIn(request, path, language);
      const seen = checks.seen(session);
      const rest = session.begunAt + limits.maximumSeconds - Math.floor(now() / 1000);
      return { ...checked, cookie: seen && (await sessions.seal(seen, rest)) };
    },
    async answer(request, path, language): Promise<Answer | undefined> {
      const route = `${request.method} ${path}`;
      if (route === 'GET /session/begin') return begin(request);
      if (route === 'GET /session/callback') return callback(request, language);
      if (route === 'POST /session/end') return end(request);
      return route === 'GET /session/ended' ? ended(language) : undefined;
    },
  };
};
