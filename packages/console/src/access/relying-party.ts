import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  tokenRevocation,
} from 'openid-client';
import type { ConsoleServer } from '../server/console-server.ts';
import { type ClientTerms, registerClient } from './register-client.ts';

/** The values that the browser keeps between the redirect to the issuer and the way back. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The page to return to, below the mount point. */
  readonly to: string;
}

export interface SignedIn {
  readonly accessToken: string;
  /** The claims of the ID token and of userinfo. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Seconds since 1970. */
  readonly authTime: number;
  readonly sid: string | undefined;
}

type Server = Pick<ConsoleServer, 'clients' | 'fetch' | 'issuer'>;

/** Registers the client at the first sign-in, and again after a failure: the start of the server does not wait. */
const createConnection = (server: Server, terms: ClientTerms) => {
  const connect = async (): Promise<Configuration> => {
    await registerClient(server, terms);
    const issuer = new URL(server.issuer);
    const insecure = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
    return discovery(issuer, terms.clientId, undefined, ClientSecretBasic(terms.secret), {
      execute: insecure,
      [customFetch]: (url, { body, ...init }) => {
        const isForm = typeof body === 'string' || body instanceof URLSearchParams;
        return server.fetch(new Request(url, { ...init, ...(isForm && { body }) }));
      },
    });
  };
  let connected: Promise<Configuration> | undefined;
  return {
    configuration(): Promise<Configuration> {
      connected ??= connect().catch((error: unknown) => {
        connected = undefined;
        throw error;
      });
      return connected;
    },
    forget(): void {
      connected = undefined;
    },
  };
};

/** The console as a client of its provider: code flow with PKCE, state and nonce. */
export const createRelyingParty = (server: Server, terms: ClientTerms) => {
  const { configuration, forget } = createConnection(server, terms);
  return {
    async begin(to: string): Promise<{ readonly attempt: Attempt; readonly url: string }> {
      const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), to };
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: terms.redirectUri,
        scope: terms.scope,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { attempt, url: url.href };
    },

    /** Redeems the code. @throws if anything does not belong to the attempt */
    async finish(query: URLSearchParams, { state, nonce, verifier }: Attempt): Promise<SignedIn> {
      const config = await configuration();
      try {
        const tokens = await authorizationCodeGrant(config, new URL(`${terms.redirectUri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (idToken === undefined) throw new TypeError('The token response has no ID token.');
        const userinfo = await fetchUserInfo(config, tokens.access_token, idToken.sub);
        const { auth_time: authTime = idToken.iat, sid } = idToken;
        return {
          accessToken: tokens.access_token,
          claims: { ...userinfo, ...idToken },
          authTime: Number(authTime),
          sid: typeof sid === 'string' ? sid : undefined,
        };
      } catch (error) {
        // The client may have been deleted, or registered with another secret.
        forget();
        throw error;
      }
    },

    revoke: async (token: string): Promise<void> => tokenRevocation(await configuration(), token),
  };
};
