import { generic } from './generic.ts';
import type { Preset } from './preset.ts';

/**
 * LinkedIn. Its ID tokens have no `nonce`. Safe against the code of another browser because the state is bound to the cookie of
 * the browser, and PKCE is sent all the same.
 */
export const linkedin: Preset = {
  ...generic,
  issuerOf: () => 'https://www.linkedin.com/oauth',
  loginHint: undefined,
  hasNonce: false,
  takesLocales: false,
  prompts: [],
  hasUserinfo: false,
  reauthenticates: false,
};
