/**
 * The purposes of sealed tokens. The purpose is part of the key derivation, so that a token of one purpose never opens
 * as another.
 *
 * Never change a value: tokens sealed by an earlier release are still in use.
 */
export const purposes = [
  'login_challenge',
  'login_verifier',
  'consent_challenge',
  'consent_verifier',
  'logout_challenge',
  'logout_verifier',
  'authorization_code',
  'spilled_state',
  'page_token',
  'pushed_request',
  'device_challenge',
  'device_verifier',
  'waiting_request',
  'decided_request',
  'backchannel_challenge',
] as const;

export type Purpose = (typeof purposes)[number];

/** The purposes of keyed hashes. Never change a value. */
export const macPurposes = ['flow_cookie', 'session_cookie', 'refresh_successor', 'dpop_nonce'] as const;

export type MacPurpose = (typeof macPurposes)[number];
