import type { Provider } from 'oidc-provider';
import { stateOf } from './request-state.ts';

export const cookieNames = { session: 'session', interaction: 'interaction', resume: 'resume' } as const;

/**
 * The cookies that oidc-provider reads. It sets none: the flow engine has cookies of its own. While oidc-provider forms
 * the answer of a flow, its cookies name that flow; otherwise it reads none.
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
 * Makes oidc-provider use one Koa context for each request, with the cookies of the facade. By itself it creates a
 * second context to read cookies from, which costs as much as the first and has the browser's own cookies.
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
