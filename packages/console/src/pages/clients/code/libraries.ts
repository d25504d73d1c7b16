import { type Library, literal } from './library.ts';

const endpoint = (issuer: string, path: string): string => literal(`${issuer.replace(/\/$/, '')}${path}`);

const openidClient: Library = {
  id: 'openid-client',
  name: 'openid-client (Node.js)',
  runs: 'anywhere',
  render: ({ issuer, clientId, redirectUri, scopes, hasSecret }) => `import * as client from 'openid-client';

const config = await client.discovery(
  new URL(${literal(issuer)}),
  ${literal(clientId)},
  ${hasSecret ? 'process.env.CLIENT_SECRET' : 'undefined, client.None()'},
);

export const beginLogin = async () => {
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
  };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: ${literal(redirectUri)},
    scope: ${literal(scopes.join(' '))},
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: checks.expectedState,
  });
  return { url, checks }; // keep the checks in the session, and redirect to the URL
};

export const finishLogin = (currentUrl, checks) =>
  client.authorizationCodeGrant(config, currentUrl, checks);
`,
};

const authJs: Library = {
  id: 'auth-js',
  name: 'Auth.js (Next.js, Express, SvelteKit)',
  runs: 'server',
  redirectPath: '/auth/callback/carnet',
  render: ({ issuer, clientId, scopes }) => `import { ExpressAuth } from '@auth/express';
import express from 'express';

const app = express();
app.use('/auth', ExpressAuth({
  secret: process.env.AUTH_SECRET,
  trustHost: true,
  providers: [{
    id: 'carnet',
    name: 'Carnet',
    type: 'oidc',
    issuer: ${literal(issuer)},
    clientId: ${literal(clientId)},
    clientSecret: process.env.CLIENT_SECRET,
    authorization: { params: { scope: ${literal(scopes.join(' '))} } },
  }],
}));
`,
};

const passport: Library = {
  id: 'passport',
  name: 'passport-openidconnect (Express)',
  runs: 'server',
  render: ({ issuer, clientId, redirectUri, scopes }) => `import passport from 'passport';
import { Strategy } from 'passport-openidconnect';

passport.use(new Strategy({
  issuer: ${literal(issuer)},
  authorizationURL: ${endpoint(issuer, '/oauth2/auth')},
  tokenURL: ${endpoint(issuer, '/oauth2/token')},
  userInfoURL: ${endpoint(issuer, '/userinfo')},
  clientID: ${literal(clientId)},
  clientSecret: process.env.CLIENT_SECRET,
  callbackURL: ${literal(redirectUri)},
  scope: ${literal(scopes.filter((scope) => scope !== 'openid'))},
}, (issuer, profile, done) => done(null, profile)));
`,
};

const oidcClientTs: Library = {
  id: 'oidc-client-ts',
  name: 'oidc-client-ts (browser)',
  runs: 'browser',
  render: ({
    issuer,
    clientId,
    redirectUri,
    postLogoutRedirectUri,
    scopes,
  }) => `import { UserManager } from 'oidc-client-ts';

export const manager = new UserManager({
  authority: ${literal(issuer)},
  client_id: ${literal(clientId)},
  redirect_uri: ${literal(redirectUri)},${
    postLogoutRedirectUri === undefined ? '' : `\n  post_logout_redirect_uri: ${literal(postLogoutRedirectUri)},`
  }
  scope: ${literal(scopes.join(' '))},
});

// Begin: await manager.signinRedirect();
// At the redirect URI: const user = await manager.signinRedirectCallback();
`,
};

const spring: Library = {
  id: 'spring',
  name: 'Spring Security (Spring Boot)',
  runs: 'server',
  redirectPath: '/login/oauth2/code/carnet',
  render: ({ issuer, clientId, scopes }) => `spring:
  security:
    oauth2:
      client:
        registration:
          carnet:
            client-id: ${literal(clientId)}
            client-secret: \${CLIENT_SECRET}
            scope: ${literal(scopes)}
        provider:
          carnet:
            issuer-uri: ${literal(issuer)}
`,
};

const goOidc: Library = {
  id: 'go-oidc',
  name: 'go-oidc (Go)',
  runs: 'anywhere',
  render: ({
    issuer,
    clientId,
    redirectUri,
    scopes,
    hasSecret,
  }) => `provider, err := oidc.NewProvider(ctx, ${literal(issuer)})
if err != nil {
	return err
}
verifier := provider.Verifier(&oidc.Config{ClientID: ${literal(clientId)}})
config := oauth2.Config{
	ClientID:     ${literal(clientId)},${hasSecret ? '\n\tClientSecret: os.Getenv("CLIENT_SECRET"),' : ''}
	RedirectURL:  ${literal(redirectUri)},
	Endpoint:     provider.Endpoint(),
	Scopes:       []string{${scopes.map(literal).join(', ')}},
}
codeVerifier := oauth2.GenerateVerifier()
url := config.AuthCodeURL(state, oauth2.S256ChallengeOption(codeVerifier))
// At the redirect URI:
// token, err := config.Exchange(ctx, code, oauth2.VerifierOption(codeVerifier))
// idToken, err := verifier.Verify(ctx, token.Extra("id_token").(string))
`,
};

/** In the order of the form. The settings are those of docs/guides/clients.md, which examples/clients runs. */
export const libraries: readonly Library[] = [openidClient, authJs, passport, oidcClientTs, spring, goOidc];
