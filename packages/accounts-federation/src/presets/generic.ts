import { isTrue, type Preset, textOf } from './preset.ts';

/** Any OpenID Provider. */
export const generic: Preset = {
  issuerOf: ({ issuer }) => issuer,
  scopes: ['openid', 'profile', 'email'],
  loginHint: 'login_hint',
  takesLocales: true,
  isOpenId: true,
  hasUserinfo: true,
  reauthenticates: true,
  subjectOf: ({ sub }) => textOf(sub),
  isEmailVerified: ({ email_verified: verified }) => isTrue(verified),
};

/** GitLab.com, or an instance of GitLab. */
export const gitlab: Preset = {
  ...generic,
  issuerOf: ({ issuer = 'https://gitlab.com' }) => issuer,
  // It sends an `auth_time`, but knows neither `max_age` nor `prompt=login`.
  reauthenticates: false,
  takesLocales: false,
};
