import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';

/** The errors with which a provider reports that the user stopped, or that it refuses the user (OpenID Connect Core, 3.1.2.6). */
const refusals: ReadonlySet<string> = new Set([
  ...['access_denied', 'login_required', 'interaction_required', 'consent_required', 'account_selection_required'],
  ...['unmet_authentication_requirements', 'user_cancelled_login', 'user_cancelled_authorize'],
]);

/** Codes only: the texts of an error may repeat the answer, with codes and tokens. */
const codeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined;

const ofCause = ({ cause }: Error): string | undefined => {
  if (typeof cause !== 'object' || cause === null) return undefined;
  return 'reason' in cause ? codeOf(cause.reason) : cause instanceof Error ? ofCause(cause) : undefined;
};

/** Why a sign-in has failed, as a code for the log. */
export const failureOf = (error: unknown): { readonly outcome: 'denied' | 'failed'; readonly reason: string } => {
  if (error instanceof AuthorizationResponseError) {
    const reason = codeOf(error.error) ?? 'error';
    return { outcome: refusals.has(reason) ? 'denied' : 'failed', reason };
  }
  if (error instanceof ResponseBodyError) return { outcome: 'failed', reason: codeOf(error.error) ?? 'error' };
  if (!(error instanceof Error)) return { outcome: 'failed', reason: 'error' };
  const { code } = error as NodeJS.ErrnoException;
  return { outcome: 'failed', reason: ofCause(error) ?? codeOf(code) ?? 'error' };
};
