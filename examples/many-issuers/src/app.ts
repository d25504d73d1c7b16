import { type Carnet, GoneError } from '@carnet/provider';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Issuers } from './issuers.ts';

/** Each tenant has users of its own. */
const usersOf = (tenant: string) => [{ id: 'user-1', email: `demo@${tenant}.example`, password: 'carnet-demo' }];

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const page = (title: string, form: string): string =>
  `<!doctype html><title>${escaped(title)}</title><h1>${escaped(title)}</h1><form method="post">${form}</form>`;
const loginPage = (tenant: string): string =>
  page(`Sign in to ${tenant}`, '<input name="email"> <input name="password" type="password"><button>Sign in</button>');

/** An issuer with a path has metadata below it, and at the root of the host (RFC 8414). */
const tenantIn = (path: string): string | undefined => /^(?:\/\.well-known\/[\w-]+)?\/t\/([^/]+)/.exec(path)?.[1];

export const createApp = (issuers: Issuers): Express => {
  const carnetOf = async (tenant: unknown): Promise<Carnet> => {
    const carnet = await issuers.find(String(tenant));
    if (carnet === undefined) throw Object.assign(new Error('There is no such tenant.'), { status: 404 });
    return carnet;
  };

  const endpoints: RequestHandler = async (request, response, next) => {
    const tenant = tenantIn(request.path);
    if (tenant === undefined) return next();
    (await carnetOf(tenant)).callback()(request, response, next);
  };

  const app = express();
  app.use(endpoints, express.urlencoded());
  app.use((_request, response, next) => {
    response.set({ 'Content-Security-Policy': "frame-ancestors 'none'", 'Cache-Control': 'no-store' });
    next();
  });
  app.get('/t/:tenant/login', ({ params }, response) => void response.send(loginPage(params.tenant)));
  app.post('/t/:tenant/login', async ({ params: { tenant }, query, body }, response) => {
    const { login } = (await carnetOf(tenant)).requests;
    const user = usersOf(tenant).find(({ email, password }) => email === body.email && password === body.password);
    if (user === undefined) response.status(401).send(loginPage(tenant));
    else response.redirect(303, (await login.accept(String(query.login_challenge), { subject: user.id })).redirectTo);
  });
  app.get('/t/:tenant/consent', async ({ params, query }, response) => {
    const { consent } = (await carnetOf(params.tenant)).requests;
    const { client, requestedScopes } = await consent.get(String(query.consent_challenge));
    const title = `Allow ${client.client_id} to use: ${requestedScopes.join(', ')}?`;
    response.send(page(title, '<button>Allow</button>'));
  });
  app.post('/t/:tenant/consent', async ({ params: { tenant }, query }, response) => {
    const { consent } = (await carnetOf(tenant)).requests;
    const challenge = String(query.consent_challenge);
    const { requestedScopes: grantScopes, subject } = await consent.get(challenge);
    const email = usersOf(tenant).find(({ id }) => id === subject)?.email;
    const idToken = grantScopes.includes('email') ? { email } : {};
    response.redirect(303, (await consent.accept(challenge, { grantScopes, claims: { idToken } })).redirectTo);
  });
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    if (error instanceof GoneError) response.redirect(303, error.redirectTo);
    else response.status(error.status ?? 500).send(page('This page is not valid.', ''));
  };
  return app.use(onError);
};
