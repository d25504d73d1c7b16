import { AccountsError } from '../accounts-error.ts';
import type { ProviderOperations } from '../api/providers.ts';
import type { AccountsEvent, Logger } from '../dependencies.ts';
import type { FactorStore } from '../second-factors/index.ts';
import { digest } from '../sign-in/sealed.ts';
import type { IdentityStore } from '../store/index.ts';
import { claimTry } from './logout-tries.ts';
import type { UpstreamLogout } from './port.ts';
import type { ConfiguredProvider } from './provider.ts';

export interface BackchannelLogoutDependencies {
  readonly providerOf: (name: string) => ConfiguredProvider;
  readonly identities: Pick<IdentityStore, 'find'>;
  readonly claims: Pick<FactorStore, 'claim'>;
  /** Ends sessions, and revokes consents and tokens, as for a user who leaves. @throws if it fails */
  readonly onRevoke: (subject: string) => Promise<void>;
  readonly emit: (event: AccountsEvent) => Promise<void>;
  readonly logger: Pick<Logger, 'info'>;
}

const verify = async ({ options, upstream }: ConfiguredProvider, token: string): Promise<UpstreamLogout> => {
  if (upstream.verifyLogout === undefined) return { outcome: 'failed', reason: 'not_supported' };
  try {
    return await upstream.verifyLogout(token);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'error';
    throw new AccountsError('unavailable', `The provider ${options.name} does not answer (${reason}).`, { cause });
  }
};

/**
 * `providers.backchannelLogout`: ends the access of the user who has signed out at a provider.
 *
 * Safe against a token that is sent again, which would end later sessions, because its `jti` is used up when the call succeeds. If
 * the sessions cannot be ended, the call fails, and the provider can send the same token again.
 */
export const createBackchannelLogout =
  (dependencies: BackchannelLogoutDependencies): ProviderOperations['backchannelLogout'] =>
  async ({ provider, logoutToken }) => {
    const { providerOf, identities, claims, onRevoke, emit, logger } = dependencies;
    const refuse = (reason: string) => {
      logger.info({ provider, reason }, 'A logout token of a provider was refused.');
      return { ok: false, error: 'invalid_token' } as const;
    };
    const result = await verify(providerOf(provider), logoutToken);
    if (result.outcome === 'failed') return refuse(result.reason);
    const { subject: upstreamSubject, id, expiresAt } = result;
    const useUp = await claimTry(claims, digest(`${provider} ${id}`), expiresAt);
    if (useUp === undefined) return refuse('used');
    const subject = (await identities.find({ provider, upstreamSubject }))?.subject;
    if (subject !== undefined) await onRevoke(subject);
    await useUp();
    if (subject !== undefined) await emit({ type: 'provider_logout', subject, provider });
    return { ok: true };
  };
