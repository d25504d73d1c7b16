import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';

export const redirectUri = 'http://localhost:8080/callback';

export interface RelyingParty {
  /** An authorization request of its own. */
  begin(): Promise<SignIn>;
}

export interface SignIn {
  /** The URL to open in the browser. */
  readonly url: string;
  /**
   * Redeems the code of the URL that the browser came back to.
   *
   * @returns the claims of the verified ID token, and those of userinfo
   * @throws Error if state, nonce, issuer, PKCE or the signature of the ID token are wrong
   */
  finish(url: string): Promise<{ readonly idToken: IDToken; readonly userinfo: Readonly<Record<string, unknown>> }>;
}

const discovered = async (issuer: string): Promise<Configuration> => {
  const options = { execute: [allowInsecureRequests, enableNonRepudiationChecks] };
  return discovery(new URL(issuer), 'shop', 'secret-of-the-shop', undefined, options);
};

/** A certified relying party: the client `shop` of the quick starts. */
export const openRelyingParty = async (issuer: string): Promise<RelyingParty> => {
  const config = await discovered(issuer);
  return {
    begin: async () => {
      const [pkceCodeVerifier, expectedState, expectedNonce] = [randomPKCECodeVerifier(), randomState(), randomNonce()];
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        nonce: expectedNonce,
      });
      return {
        url: url.href,
        finish: async (href) => {
          const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
          const tokens = await authorizationCodeGrant(config, new URL(href), checks);
          const idToken = tokens.claims();
          if (idToken === undefined) throw new Error('no ID token');
          return { idToken, userinfo: await fetchUserInfo(config, tokens.access_token, idToken.sub) };
        },
      };
    },
  };
};
