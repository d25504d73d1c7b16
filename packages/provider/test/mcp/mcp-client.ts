import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { createBrowser, locationOf } from '../browser.ts';
import { decideAll, type Endpoints, headless } from '../login.ts';

export const callback = 'http://127.0.0.1:49200/callback';

/** An MCP client's memory, and the user's browser, in which the user signs in and allows all that is asked. */
export interface ClientOfUser extends OAuthClientProvider {
  /** The code that the browser has brought back. */
  code(): string;
  /** The authorization request. */
  asked(): URL;
  saved(): { readonly client: OAuthClientInformationMixed | undefined; readonly tokens: OAuthTokens | undefined };
}

const signIn = async (instance: Endpoints, url: URL): Promise<string> => {
  const browser = createBrowser();
  const challenge = locationOf(await browser.get(url.href)).searchParams.get('login_challenge') ?? '';
  const { body } = await headless(instance, 'GET', `login?login_challenge=${challenge}`);
  const consent = {
    grant_scope: body.requested_scope,
    grant_access_token_audience: body.requested_access_token_audience,
  };
  const end = locationOf(await browser.get(await decideAll(instance, browser, challenge, { consent })));
  const code = end.searchParams.get('code');
  if (code === null) throw new Error(`no code: ${end.searchParams.get('error_description')}`);
  return code;
};

export const createClientOfUser = (instance: Endpoints, clientMetadataUrl?: string): ClientOfUser => {
  let client: OAuthClientInformationMixed | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let code = '';
  let asked = new URL(callback);
  return {
    redirectUrl: callback,
    clientMetadataUrl,
    clientMetadata: {
      client_name: 'MCP client of the tests',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => client,
    saveClientInformation: (information) => {
      client = information;
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    redirectToAuthorization: async (url) => {
      asked = url;
      code = await signIn(instance, url);
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    code: () => code,
    asked: () => asked,
    saved: () => ({ client, tokens }),
  };
};
