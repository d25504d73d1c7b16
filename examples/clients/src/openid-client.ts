import express from 'express';
import session from 'express-session';
import * as client from 'openid-client';
import type { CreateApp } from './settings.ts';

declare module 'express-session' {
  interface SessionData {
    checks: { readonly pkceCodeVerifier: string; readonly expectedState: string };
    tokens: { claims: unknown; idToken?: string; accessToken: string; refreshToken?: string };
  }
}

export const createApp: CreateApp = async ({ issuer, clientId, clientSecret, baseUrl, sessionSecret }) => {
  // docs: settings
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute: issuer.startsWith('http://127.0.0.1') ? [client.allowInsecureRequests] : [],
  });
  const beginLogin = async () => {
    const checks = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: client.randomState() };
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: `${baseUrl}/callback`,
      scope: 'openid profile email offline_access',
      code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: checks.expectedState,
    });
    return { url, checks };
  };
  // docs: end

  const app = express();
  app.use(session({ secret: sessionSecret, resave: false, saveUninitialized: false }));
  const held = (tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>) => ({
    claims: tokens.claims(),
    idToken: tokens.id_token,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
  });

  app.get('/', (req, res) => void res.status(req.session.tokens ? 200 : 401).json(req.session.tokens?.claims ?? null));
  app.get('/login', async (req, res) => {
    const { url, checks } = await beginLogin();
    req.session.checks = checks;
    res.redirect(url.href);
  });
  app.get('/callback', async (req, res) => {
    const url = new URL(req.originalUrl, baseUrl);
    req.session.tokens = held(await client.authorizationCodeGrant(config, url, req.session.checks));
    res.redirect('/');
  });
  app.get('/userinfo', async (req, res) => {
    res.json(await client.fetchUserInfo(config, req.session.tokens?.accessToken ?? '', client.skipSubjectCheck));
  });
  app.get('/refresh', async (req, res) => {
    req.session.tokens = held(await client.refreshTokenGrant(config, req.session.tokens?.refreshToken ?? ''));
    res.redirect('/');
  });
  app.get('/logout', (req, res) => {
    const id_token_hint = req.session.tokens?.idToken ?? '';
    const url = client.buildEndSessionUrl(config, { id_token_hint, post_logout_redirect_uri: baseUrl });
    req.session.destroy(() => res.redirect(url.href));
  });
  return app;
};
