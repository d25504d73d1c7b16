import type { StartOptions } from './harness.ts';

/** Every feature, except FAPI, which refuses most requests. */
export const everyFeature = {
  features: {
    ciba: { enabled: true },
    claimsParameter: { enabled: true },
    dpop: { requireNonce: true },
    encryption: { enabled: true },
    hybrid: { enabled: true },
    implicit: { enabled: true },
    rar: { enabled: true, types: { payment: {} } },
    tokenExchange: { enabled: true },
  },
  urls: {
    login: 'http://login.test/login',
    consent: 'http://login.test/consent',
    backchannelAuthentication: 'http://login.test/push',
  },
  resources: [{ identifier: 'https://api.test', accessTokenStrategy: 'jwt', accessTokenTtl: '5m' }],
} as const satisfies StartOptions['config'];
