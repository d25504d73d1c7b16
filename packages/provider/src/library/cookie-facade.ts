import type { Provider } from 'oidc-provider';
import type { CookieJar } from '../flow/cookies.ts';
import { stateOf } from './request-state.ts';

export const cookieNames = { session: 'session', interaction: 'interaction', resume: 'resume' } as const;

/**
 * The cookies oidc-provider believes in. It sets none: the flow and the session have cookies of our own, and its names
 * are answered from what those say.
 */
const createFacade = (ctx: object, jar: Pick<CookieJar, 'session'>) => ({
  secure: false,
  get(name: string): string | undefined {
    const { flow, cookieHeader } = stateOf(ctx);
    if (name === cookieNames.resume) return flow?.id;
    if (name !== cookieNames.session) return undefined;
    return flow ? flow.id : jar.session.read(cookieHeader);
  },
  set(): void {},
});

const known = Symbol('koa context');

/**
 * One Koa context a request, with our cookies: oidc-provider asks its app for a second one to read cookies from, which
 * costs as much as the first and would see the browser's own.
 */
export const shareContext = (provider: Provider, jar: Pick<CookieJar, 'session'>): void => {
  const createContext = provider.createContext.bind(provider);
  provider.createContext = (req, res) => {
    const request = req as typeof req & { [known]?: ReturnType<typeof createContext> };
    if (request[known]) return request[known];
    const ctx = createContext(req, res);
    ctx.cookies = createFacade(ctx, jar) as unknown as typeof ctx.cookies;
    request[known] = ctx;
    return ctx;
  };
};
