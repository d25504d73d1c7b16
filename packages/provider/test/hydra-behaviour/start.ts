import { type Instance, type StartOptions, start } from '../harness.ts';

export const redirectUri = 'http://127.0.0.1:5555/oauth2/callback';

const pages = {
  login: 'http://login.test/login',
  consent: 'http://login.test/consent',
  logout: 'http://login.test/logout',
  error: 'http://login.test/error',
  postLogoutRedirect: 'http://login.test/logged-out',
  device: { verification: 'http://login.test/device', success: 'http://login.test/device/success' },
};

/** A provider configured as `carnet config from-hydra` does it, without the grace period that Hydra lacks by default. */
const hydraLike: NonNullable<StartOptions['config']> = {
  urls: pages,
  pkce: { required: 'never' },
  tokens: { scopeStrategy: 'wildcard', refreshGraceSeconds: 0 },
  oidc: {
    userinfo: 'hydra',
    dynamicClientRegistration: { enabled: true, allowedGrantTypes: ['authorization_code', 'client_credentials'] },
  },
  features: { device: { pollingIntervalSeconds: 1 } },
  outbound: { allow: ['127.0.0.1'] },
};

export const startLikeHydra = (config: StartOptions['config'] = {}, now = Date.now): Promise<Instance> =>
  start({ config: { ...hydraLike, ...config }, now });

/** The forms of access tokens that Hydra's own tests run with. */
export const strategies = ['opaque', 'jwt'] as const;
