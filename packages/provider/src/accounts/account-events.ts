import type { AccountsConfig, AccountsEvent } from '@carnet/accounts';
import type { Api } from '../api.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export interface AccountEventsDependencies extends Pick<Api, 'sessions' | 'consents'> {
  readonly config: Pick<AccountsConfig, 'revokeTokensOnPasswordChange'>;
  readonly metrics: Metrics;
  readonly revokeElsewhere?: ((subject: string, withTokens: boolean) => Promise<unknown>) | undefined;
}

/** Handles the events of the accounts API: metrics, and the end of sessions after a change of the password or a deletion. */
export const createAccountEvents = ({ config, metrics, sessions, consents, ...others }: AccountEventsDependencies) => {
  const revoke = async (subject: string, withTokens: boolean): Promise<void> => {
    await sessions.revoke({ subject });
    if (withTokens) await consents.revoke({ subject, all: true });
    await others.revokeElsewhere?.(subject, withTokens);
  };
  return async (event: AccountsEvent): Promise<void> => {
    switch (event.type) {
      case 'sign_in':
        return metrics.signIn(event.method, event.result);
      case 'directory':
        return metrics.directory(event.directory, event.step, event.durationMs, event.failed);
      case 'cache':
        return metrics.userCache(event.directory, event.hit);
      case 'deletion':
        // Once more when it is requested: a sign-in may have been completed since the first time.
        return event.action === 'requested' || event.action === 'revoke' ? revoke(event.subject, true) : undefined;
      case 'password_changed':
        return revoke(event.subject, config.revokeTokensOnPasswordChange);
    }
  };
};
