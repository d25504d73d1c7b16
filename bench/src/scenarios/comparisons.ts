import { clientCredentials } from './client-credentials.ts';
import {
  login,
  loginAcr,
  loginClaims,
  loginDpop,
  loginFormPost,
  loginMaxAge,
  loginMix,
  loginOffline,
  loginRemember,
  loginReturning,
} from './logins.ts';
import type { Scenario } from './scenario.ts';
import {
  redeem,
  redeemDpop,
  redeemJwt,
  redeemResource,
  refresh,
  refreshDpop,
  refreshJwt,
  refreshResource,
} from './tokens.ts';

/** Cryptography that a scenario needs and its baseline does not. The comparison leaves it out. */
export type Extra = 'signature' | 'proof';

export interface Compared {
  readonly scenario: Scenario;
  readonly extra?: Extra;
}

/** Scenarios whose cost is stated relative to that of the simplest of them. */
export interface Comparison {
  readonly baseline: Scenario;
  readonly others: readonly Compared[];
}

export const comparisons: readonly Comparison[] = [
  {
    baseline: login,
    others: [
      { scenario: loginOffline },
      { scenario: loginMaxAge },
      { scenario: loginAcr },
      { scenario: loginClaims },
      { scenario: loginFormPost },
      { scenario: loginRemember },
      { scenario: loginReturning },
      { scenario: loginDpop, extra: 'proof' },
      { scenario: loginMix },
    ],
  },
  {
    baseline: refresh,
    others: [
      { scenario: refreshJwt, extra: 'signature' },
      { scenario: refreshDpop, extra: 'proof' },
      { scenario: refreshResource },
    ],
  },
  {
    baseline: redeem,
    others: [
      { scenario: redeemJwt, extra: 'signature' },
      { scenario: redeemDpop, extra: 'proof' },
      { scenario: redeemResource },
    ],
  },
  { baseline: clientCredentials, others: [] },
];
