import type { Provider } from 'oidc-provider';
import { stateOf } from './request-state.ts';

export const cookieNames = { session: 'session', interaction: 'interaction', resume: 'resume' } as const;

/**
 * The cookies that oidc-provider reads. It sets none: the flow engine has cookies of its own. While oidc-provider forms the
 * answer of a flow, its cookies name that flow; otherwise it reads none.
 */
const createFacade = (ctx: object) => ({
  secure: false,
  get(name: string): string | undefined {
    return name === cookieNames.resume || name === cookieNames.session ? stateOf(ctx).flow?.id : undefined;
  },
  set(): void {},
});

const known = Symbol('koa context');

/**
 * One Koa context a request, with our cookies: oidc-provider asks its app for a second one to read cookies from, which
 * costs as much as the first and would see the browser's own.
 */
export const shareContext = (provider: Provider): void => {
  const createContext = provider.createContext.bind(provider);
  provider.createContext = (req, res) => {
    const request = req as typeof req & { [known]?: ReturnType<typeof createContext> };
    if (request[known]) return request[known];
    const ctx = createContext(req, res);
    ctx.cookies = createFacade(ctx) as unknown as typeof ctx.cookies;
    request[known] = ctx;
    return ctx;
  };
};
