import { type Command, type Surface, text, texts, UsageError, type Values } from '../command.ts';
import { connectIssuer, credentialOptions, type Issuer, refusalOf, requestOptions } from '../issuer.ts';
import { outputOptions } from '../output.ts';
import { type Callback, openCallback } from './callback.ts';
import { openBrowser } from './open-browser.ts';
import { showTokens } from './show-tokens.ts';

/** The parameters of a token request. Empty ones are left out. */
const parametersOf = (values: Values, defaultScope = ''): Record<string, string> => {
  const scope = texts(values, 'scope').join(' ') || defaultScope;
  const audience = texts(values, 'audience').join(' ');
  return { ...(scope && { scope }), ...(audience && { audience }) };
};

const userScope = 'openid offline_access';
const common = { ...credentialOptions, ...requestOptions, ...outputOptions };

const performClientCredentials: Command = {
  name: 'perform client-credentials',
  summary: 'Get an access token by client credentials.',
  options: common,
  examples: [
    'carnet perform client-credentials --client-id machine --client-secret-file secret.txt --scope read',
    'OAUTH2_CLIENT_ID=machine OAUTH2_CLIENT_SECRET=$(cat secret.txt) carnet perform client-credentials --scope read --quiet',
  ],
  run: async (values, surface) => {
    const { oidc, config } = await connectIssuer(values, surface);
    try {
      await showTokens(values, surface, await oidc.clientCredentialsGrant(config, parametersOf(values)));
    } catch (error) {
      throw refusalOf(error);
    }
  },
};

interface Prepared {
  readonly authorizationUrl: URL;
  readonly checks: {
    readonly pkceCodeVerifier: string;
    readonly expectedState: string;
    readonly expectedNonce: string | undefined;
  };
}

const numberOf = (values: Values, name: string): number | undefined => {
  const value = text(values, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new UsageError(`--${name} must be a number.`);
  return Number(value);
};

const prepare = async ({ oidc, config }: Issuer, values: Values, redirectUri: URL): Promise<Prepared> => {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  const asked = parametersOf(values, userScope);
  const isOpenid = asked.scope?.split(' ').includes('openid') === true;
  const prompt = texts(values, 'prompt').join(' ');
  const maxAge = numberOf(values, 'max-age');
  const authorizationUrl = oidc.buildAuthorizationUrl(config, {
    ...asked,
    ...(prompt && { prompt }),
    ...(maxAge !== undefined && { max_age: String(maxAge) }),
    ...(isOpenid && { nonce }),
    state,
    redirect_uri: redirectUri.href,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  return {
    authorizationUrl,
    checks: { pkceCodeVerifier, expectedState: state, expectedNonce: isOpenid ? nonce : undefined },
  };
};

const finish = async (
  issuer: Issuer,
  { checks }: Prepared,
  arrival: Awaited<Callback['arrived']>,
  redirectUri: URL,
) => {
  const { oidc, config } = issuer;
  const current = new URL(redirectUri);
  current.search = arrival.url.search;
  try {
    const tokens = await oidc.authorizationCodeGrant(config, current, {
      ...checks,
      idTokenExpected: checks.expectedNonce !== undefined,
    });
    arrival.answer('You are signed in. The tokens are in the terminal where you started the command.');
    return tokens;
  } catch (error) {
    arrival.answer('The sign-in failed. The reason is in the terminal where you started the command.');
    throw refusalOf(error);
  }
};

const announce = ({ startUrl }: Callback, values: Values, { err, isTerminal }: Surface): void => {
  err(`Open ${startUrl} in your browser. Press Ctrl-C to cancel.`);
  if (isTerminal === true && values['no-open'] !== true) openBrowser(startUrl);
};

const performAuthorizationCode: Command = {
  name: 'perform authorization-code',
  summary: 'Sign a user in with the browser on this machine, and show the tokens.',
  options: {
    ...common,
    port: { type: 'string', short: 'p', value: 'number', summary: 'The port on 127.0.0.1. Default 4446.' },
    redirect: {
      type: 'string',
      value: 'url',
      summary: 'A registered redirect_uri. Default http://127.0.0.1:4446/callback.',
    },
    prompt: { type: 'string', multiple: true, value: 'prompt', summary: 'none, login or consent.' },
    'max-age': { type: 'string', value: 'seconds', summary: 'The maximum age of the login.' },
    'no-open': { type: 'boolean', summary: 'Open no browser.' },
  },
  examples: [
    'carnet perform authorization-code --client-id app --no-open',
    'carnet perform authorization-code --client-id shop --client-secret-file secret.txt --scope openid --format json',
  ],
  run: async (values, surface) => {
    const port = numberOf(values, 'port') ?? 4446;
    const redirect = text(values, 'redirect') ?? `http://127.0.0.1:${port}/callback`;
    if (!URL.canParse(redirect)) throw new UsageError('--redirect must be a URL.');
    const redirectUri = new URL(redirect);
    const issuer = await connectIssuer(values, surface);
    const prepared = await prepare(issuer, values, redirectUri);
    const callback = await openCallback({ port, redirectUri, authorizationUrl: prepared.authorizationUrl });
    try {
      announce(callback, values, surface);
      await showTokens(values, surface, await finish(issuer, prepared, await callback.arrived, redirectUri));
    } finally {
      callback.close();
    }
  },
};

const performDeviceCode: Command = {
  name: 'perform device-code',
  summary: 'Sign a user in on another device, and show the tokens (RFC 8628).',
  options: common,
  examples: ['carnet perform device-code --client-id tv'],
  run: async (values, surface) => {
    const { oidc, config } = await connectIssuer(values, surface);
    if (config.serverMetadata().device_authorization_endpoint === undefined) {
      throw new Error('The issuer has no device flow: its discovery document has no device_authorization_endpoint.');
    }
    try {
      const device = await oidc.initiateDeviceAuthorization(config, parametersOf(values, userScope));
      surface.err(`Open ${device.verification_uri_complete ?? device.verification_uri}`);
      surface.err(`and compare the code there with ${device.user_code}. Press Ctrl-C to cancel.`);
      await showTokens(values, surface, await oidc.pollDeviceAuthorizationGrant(config, device));
    } catch (error) {
      throw refusalOf(error);
    }
  },
};

export const performCommands = [performAuthorizationCode, performClientCredentials, performDeviceCode] as const;
