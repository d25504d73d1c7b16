import { createProvider, GoneError } from '@carnet/provider';
import express, { type ErrorRequestHandler } from 'express';
import { consentPage, errorPage, loginPage } from './pages.ts';
import { findUser, verifyUser } from './users.ts';

const { PORT = '4444' } = process.env;
const origin = `http://127.0.0.1:${PORT}`;
const issuer = `${origin}/op`;

// In dev mode Carnet generates keys and secrets at each start, and keeps its data in memory.
const carnet = await createProvider({
  dev: true,
  issuer,
  urls: { login: `${origin}/login`, consent: `${origin}/consent` },
});
await carnet.clients.create({
  client_id: 'shop',
  client_secret: 'the-secret-of-the-shop',
  client_name: 'Bread & Butter',
  redirect_uris: ['http://127.0.0.1:9999/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid email offline_access',
});

const app = express();
// Not under '/op': Carnet takes the path from the issuer, and also serves metadata outside of that path (RFC 8414).
app.use(carnet.callback());
app.use(express.urlencoded());
app.use((_request, response, next) => {
  // No other site may frame these pages and trick the user into a click, and no cache or Referer may keep a challenge.
  response.set({
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
  next();
});

// The forms need no CSRF token. The URL that a decision redirects to is valid only in the browser that has the cookie of
// this flow: a form that another site submits with its own challenge leads to an error, and no user is signed in.
const { login, consent } = carnet.requests;

app.get('/login', async ({ query }, response) => {
  const challenge = String(query.login_challenge);
  const { client, skip, subject = '' } = await login.get(challenge);
  if (skip) response.redirect(303, (await login.accept(challenge, { subject })).redirectTo);
  else response.send(loginPage({ challenge, application: client.client_name }));
});

app.post('/login', async ({ body }, response) => {
  const challenge = String(body.challenge);
  const { client } = await login.get(challenge);
  const [email, remember] = [String(body.email), body.remember === 'on'];
  const user = await verifyUser(email, String(body.password));
  if (user) response.redirect(303, (await login.accept(challenge, { subject: user.id, remember })).redirectTo);
  else response.status(401).send(loginPage({ challenge, application: client.client_name, email, isRefused: true }));
});

const grant = async (challenge: string) => {
  const { requestedScopes: grantScopes, requestedAudience: grantAudience, subject } = await consent.get(challenge);
  const idToken = grantScopes.includes('email') ? { email: findUser(subject)?.email } : {};
  return consent.accept(challenge, { grantScopes, grantAudience, claims: { idToken }, remember: true });
};
const deny = (challenge: string) => consent.reject(challenge, { error: 'access_denied' });

app.get('/consent', async ({ query }, response) => {
  const challenge = String(query.consent_challenge);
  const { client, skip, requestedScopes } = await consent.get(challenge);
  if (skip) response.redirect(303, (await grant(challenge)).redirectTo);
  else response.send(consentPage({ challenge, application: client.client_name, scopes: requestedScopes }));
});

app.post('/consent', async ({ body: { challenge, decision } }, response) => {
  response.redirect(303, (await (decision === 'allow' ? grant : deny)(challenge)).redirectTo);
});

const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof GoneError) response.redirect(303, error.redirectTo);
  else response.status(error.status ?? 500).send(errorPage);
};
app.use(onError);
app.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error; // such as a port in use
  const redirectUri = encodeURIComponent('http://127.0.0.1:9999/callback');
  const query = `client_id=shop&redirect_uri=${redirectUri}&response_type=code&scope=openid+email&state=any-state`;
  console.log(`Issuer: ${issuer}\nSign in: ${issuer}/oauth2/auth?${query}`);
});
