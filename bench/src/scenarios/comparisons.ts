import { clientCredentials } from './client-credentials.ts';
import * as logins from './logins.ts';
import type { Scenario } from './scenario.ts';
import * as tokens from './tokens.ts';

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
    baseline: logins.login,
    others: [
      { scenario: logins.loginOffline },
      { scenario: logins.loginMaxAge },
      { scenario: logins.loginAcr },
      { scenario: logins.loginClaims },
      { scenario: logins.loginFormPost },
      { scenario: logins.loginRemember },
      { scenario: logins.loginReturning },
      { scenario: logins.loginDpop, extra: 'proof' },
      { scenario: logins.loginMix },
    ],
  },
  {
    baseline: tokens.refresh,
    others: [
      { scenario: tokens.refreshJwt, extra: 'signature' },
      { scenario: tokens.refreshDpop, extra: 'proof' },
      { scenario: tokens.refreshResource },
    ],
  },
  {
    baseline: tokens.redeem,
    others: [
      { scenario: tokens.redeemJwt, extra: 'signature' },
      { scenario: tokens.redeemDpop, extra: 'proof' },
      { scenario: tokens.redeemResource },
    ],
  },
  { baseline: clientCredentials, others: [] },
];
