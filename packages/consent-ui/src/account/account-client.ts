import * as oidc from 'openid-client';
import { z } from 'zod';
import type { SessionsApi } from '../api/sessions-api.ts';
import { Problem } from '../problem.ts';

/** The client id of the account pages at the provider. */
export const accountClientId = 'carnet-account';

/** The values that the callback is compared with. They travel in a sealed cookie. */
export const signInChecks = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** The path of the account page that the user asked for. */
  returnPath: z.string(),
  maxAgeSeconds: z.int().optional(),
});
export type SignInChecks = z.infer<typeof signInChecks>;

/** A user who has signed in to the account pages. */
export const accountLogin = z.object({
  subject: z.string(),
  /** Seconds since 1970. 0: unknown, after a sign-in at a provider that does not tell it. */
  authTime: z.number(),
  /** When the ID token was issued, in seconds since 1970. */
  issuedAt: z.number().optional(),
  /** The session at the provider. */
  sid: z.string().optional(),
  /** For the logout at the provider. */
  idToken: z.string(),
  /** Whether the provider keeps the session, because the user chose to stay signed in. */
  isKept: z.boolean(),
  /** The version of the password at the sign-in. */
  passwordVersion: z.string().optional(),
});
export type AccountLogin = z.infer<typeof accountLogin>;

export interface BeginOptions {
  readonly returnPath: string;
  /** The user must have authenticated within this time (OpenID Connect Core, section 3.1.2.1). */
  readonly maxAgeSeconds?: number | undefined;
  /** Whether the user must sign in also if the provider remembers a login (`prompt=login`). */
  readonly mustSignIn?: boolean | undefined;
  readonly loginHint?: string | undefined;
  readonly language: string;
}

/** The account pages as a client of the provider. */
export interface AccountClient {
  begin(options: BeginOptions): Promise<{ readonly url: string; readonly checks: SignInChecks }>;
  /** Redeems the code of the callback URL. @throws if the response does not match `checks` */
  finish(callback: URL, checks: SignInChecks): Promise<Omit<AccountLogin, 'isKept' | 'passwordVersion'>>;
  endSessionUrl(idToken: string): Promise<string>;
}

export interface AccountClientOptions {
  readonly issuer: URL;
  readonly uiUrl: URL;
  readonly sessionsApi: Pick<SessionsApi, 'putClient'>;
}

const callbackPath = '/account/callback';

const clientMetadata = (uiUrl: URL) => ({
  client_id: accountClientId,
  client_name: 'Account',
  redirect_uris: [new URL(callbackPath, uiUrl).href],
  post_logout_redirect_uris: [new URL('/account/signed-out', uiUrl).href],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  scope: 'openid',
  // A secret would have to be shared by all processes of this UI. PKCE binds the code to the browser that began the sign-in.
  token_endpoint_auth_method: 'none',
  require_auth_time: true,
  skip_consent: true,
  skip_logout_consent: true,
});

const open = async ({ issuer, uiUrl, sessionsApi }: AccountClientOptions): Promise<oidc.Configuration> => {
  await sessionsApi.putClient(clientMetadata(uiUrl));
  const execute = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  try {
    return await oidc.discovery(issuer, accountClientId, {}, oidc.None(), { execute });
  } catch (cause) {
    throw new Problem('api_unavailable', { cause });
  }
};

const authorizationUrl = async (
  configuration: oidc.Configuration,
  uiUrl: URL,
  { checks, mustSignIn, loginHint, language }: { readonly checks: SignInChecks } & Omit<BeginOptions, 'returnPath'>,
): Promise<URL> =>
  oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: new URL(callbackPath, uiUrl).href,
    scope: 'openid',
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
    code_challenge_method: 'S256',
    ui_locales: language,
    ...(checks.maxAgeSeconds === undefined ? {} : { max_age: String(checks.maxAgeSeconds) }),
    ...(mustSignIn ? { prompt: 'login' } : {}),
    ...(loginHint === undefined ? {} : { login_hint: loginHint }),
  });

/**
 * A public client with PKCE. It registers itself through the admin API when it is first used, which replaces an earlier
 * registration: it needs no configuration, and a change of the UI's URL takes effect at the next start.
 */
export const createAccountClient = (options: AccountClientOptions): AccountClient => {
  let opening: Promise<oidc.Configuration> | undefined;
  const configuration = (): Promise<oidc.Configuration> => {
    opening ??= open(options).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    begin: async ({ returnPath, maxAgeSeconds, ...rest }) => {
      const [state, nonce, codeVerifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
      const checks: SignInChecks = { state, nonce, codeVerifier, returnPath, maxAgeSeconds };
      const url = await authorizationUrl(await configuration(), options.uiUrl, { checks, ...rest });
      return { url: url.href, checks };
    },
    finish: async (callback, { state, nonce, codeVerifier, maxAgeSeconds }) => {
      const tokens = await oidc.authorizationCodeGrant(await configuration(), callback, {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
        maxAge: maxAgeSeconds,
      });
      const claims = tokens.claims();
      if (claims === undefined || tokens.id_token === undefined) throw new Error('the token response has no ID token');
      const sid = typeof claims.sid === 'string' ? claims.sid : undefined;
      const { sub: subject, auth_time: authTime = 0, iat: issuedAt } = claims;
      return { subject, authTime, issuedAt, sid, idToken: tokens.id_token };
    },
    endSessionUrl: async (idToken) =>
      oidc.buildEndSessionUrl(await configuration(), {
        id_token_hint: idToken,
        post_logout_redirect_uri: new URL('/account/signed-out', options.uiUrl).href,
      }).href,
  };
};
