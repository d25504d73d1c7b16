import { createProvider, GoneError } from '@carnet/provider';
import express, { type ErrorRequestHandler } from 'express';

const { PORT = '4444', GOOGLE_CLIENT_ID = '', GOOGLE_CLIENT_SECRET = '', PROVIDER_ISSUER } = process.env;
const origin = `http://127.0.0.1:${PORT}`;
const preset = PROVIDER_ISSUER === undefined ? { preset: 'google' as const } : { issuer: PROVIDER_ISSUER };

// Without directories, users exist at the provider only: Carnet stores nothing about them.
const carnet = await createProvider({
  dev: true,
  issuer: origin,
  urls: { login: `${origin}/login`, consent: `${origin}/consent` },
  accounts: {
    providers: [
      { name: 'google', kind: 'oidc', ...preset, clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET },
    ],
  },
});
await carnet.clients.create({
  client_id: 'shop',
  client_secret: 'the-secret-of-the-shop',
  redirect_uris: ['http://127.0.0.1:9999/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid profile email offline_access',
});

const app = express();
app.use(carnet.callback());

const { login, consent } = carnet.requests;
const providers = carnet.accounts?.providers;
if (providers === undefined) throw new Error('accounts is missing in the configuration.');
const [provider, callback] = ['google', `${origin}/login/provider/google`];
const cookieOptions = { httpOnly: true, sameSite: 'lax', path: '/login/provider', maxAge: 600_000 } as const;

// GET and no button: the browser goes to Google at once, and comes back to the callback.
app.get('/login', async ({ query }, response) => {
  const binding = String(query.login_challenge);
  const { skip, subject = '', requestUrl } = await login.get(binding);
  if (skip) return response.redirect(303, (await login.accept(binding, { subject })).redirectTo);
  const asked = new URL(requestUrl).searchParams;
  const prompt = asked.get('prompt')?.includes('login') ? 'login' : undefined;
  const maxAge = asked.has('max_age') ? Number(asked.get('max_age')) : undefined;
  const { url, cookie } = await providers.begin({ provider, binding, callback, prompt, maxAge });
  response.cookie('provider', cookie, cookieOptions).redirect(303, url);
});

app.get('/login/provider/google', async ({ originalUrl, query, headers }, response) => {
  const { binding = '' } = (await providers.read({ state: String(query.state) })) ?? {};
  const cookie = /(?:^|; )provider=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
  const answer = new URL(originalUrl, origin).search.slice(1);
  const signIn = await providers.finish({ provider, binding, callback, answer, cookie });
  response.clearCookie('provider', cookieOptions);
  if (signIn.state === 'done') {
    const { subject, acr, amr, authTime, claims } = signIn;
    response.redirect(303, (await login.accept(binding, { subject, acr, amr, authTime, context: claims })).redirectTo);
  } else response.status(401).send('You are not signed in. Go back to the application.');
});

// The shop is our own application, so that users are not asked. The claims come from the login, above.
app.get('/consent', async ({ query }, response) => {
  const challenge = String(query.consent_challenge);
  const { context, requestedScopes: grantScopes, requestedAudience: grantAudience } = await consent.get(challenge);
  const { name, email, email_verified } = context as Record<string, unknown>;
  const idToken = grantScopes.includes('email') ? { name, email, email_verified } : { name };
  const decision = { grantScopes, grantAudience, claims: { idToken } };
  response.redirect(303, (await consent.accept(challenge, decision)).redirectTo);
});

const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof GoneError) response.redirect(303, error.redirectTo);
  else response.status(error.status ?? 500).send('This sign-in is not valid. Go back to the application.');
};
app.use(onError);
app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error; // such as a port in use
  const redirectUri = encodeURIComponent('http://127.0.0.1:9999/callback');
  const query = `client_id=shop&redirect_uri=${redirectUri}&response_type=code&scope=openid+email&state=any-state`;
  console.log(`Issuer: ${origin}\nSign in: ${origin}/oauth2/auth?${query}`);
});
