import { createProvider, GoneError } from '@carnet/provider';
import { bodyParser } from '@koa/bodyparser';
import Koa, { type Context } from 'koa';
import { consentPage, errorPage, loginPage } from './pages.ts';
import { findUser, verifyUser } from './users.ts';

const { PORT = '4444' } = process.env;
const issuer = `http://127.0.0.1:${PORT}`;

// In dev mode Carnet generates keys and secrets at each start, and keeps its data in memory.
const carnet = await createProvider({
  dev: true,
  issuer,
  urls: { login: `${issuer}/login`, consent: `${issuer}/consent` },
});
await carnet.clients.create({
  client_id: 'shop',
  client_secret: 'the-secret-of-the-shop',
  client_name: 'Bread & Butter',
  redirect_uris: ['http://127.0.0.1:9999/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid email offline_access',
});

// The forms need no CSRF token. The URL that a decision redirects to is valid only in the browser that has the cookie of
// this flow: a form that another site submits with a challenge of its own ends with an error, and signs nobody in.
const { login, consent } = carnet.requests;

const grant = async (challenge: string) => {
  const { requestedScopes: grantScopes, requestedAudience: grantAudience, subject } = await consent.get(challenge);
  const idToken = grantScopes.includes('email') ? { email: findUser(subject)?.email } : {};
  return consent.accept(challenge, { grantScopes, grantAudience, claims: { idToken }, remember: true });
};
const deny = (challenge: string) => consent.reject(challenge, { error: 'access_denied' });

const send = (ctx: Context, { redirectTo }: { readonly redirectTo: string }): void => {
  ctx.status = 303;
  ctx.redirect(redirectTo);
};

const routes: Record<string, (ctx: Context, form: Record<string, string>) => Promise<void> | void> = {
  async 'GET /login'(ctx) {
    const challenge = String(ctx.query.login_challenge);
    const { client, skip, subject = '' } = await login.get(challenge);
    if (skip) send(ctx, await login.accept(challenge, { subject }));
    else ctx.body = loginPage({ challenge, application: client.client_name });
  },
  async 'POST /login'(ctx, { challenge = '', email = '', password = '', remember }) {
    const { client } = await login.get(challenge);
    const user = await verifyUser(email, password);
    if (user) return send(ctx, await login.accept(challenge, { subject: user.id, remember: remember === 'on' }));
    ctx.status = 401;
    ctx.body = loginPage({ challenge, application: client.client_name, email, isRefused: true });
  },
  async 'GET /consent'(ctx) {
    const challenge = String(ctx.query.consent_challenge);
    const { client, skip, requestedScopes } = await consent.get(challenge);
    if (skip) send(ctx, await grant(challenge));
    else ctx.body = consentPage({ challenge, application: client.client_name, scopes: requestedScopes });
  },
  async 'POST /consent'(ctx, { challenge = '', decision }) {
    send(ctx, await (decision === 'allow' ? grant : deny)(challenge));
  },
};

const app = new Koa();
app.use(bodyParser());
app.use(carnet.koa());
app.use(async (ctx, next) => {
  const route = routes[`${ctx.method} ${ctx.path}`];
  if (!route) return next();
  // No other site may frame these pages and trick the user into a click, and no cache or Referer may keep a challenge.
  ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  try {
    await route(ctx, (ctx.request.body ?? {}) as Record<string, string>);
  } catch (error) {
    if (error instanceof GoneError) return send(ctx, error);
    ctx.status = (error as { status?: number }).status ?? 500;
    ctx.body = errorPage;
  }
});
app.listen(Number(PORT), '127.0.0.1', () => {
  const redirectUri = encodeURIComponent('http://127.0.0.1:9999/callback');
  const query = `client_id=shop&redirect_uri=${redirectUri}&response_type=code&scope=openid+email&state=any-state`;
  console.log(`Issuer: ${issuer}\nSign in: ${issuer}/oauth2/auth?${query}`);
});
