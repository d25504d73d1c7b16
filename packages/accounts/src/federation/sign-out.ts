import { AccountsError } from '../accounts-error.ts';
import type { ProviderOperations } from '../api/providers.ts';
import type { ProviderOptions } from '../options.ts';
import type { ConfiguredProvider } from './provider.ts';

export interface SignOutDependencies {
  readonly providers: readonly ConfiguredProvider[];
  /** @throws AccountsError `foreign_link` */
  readonly assertCallback: (callback: string, provider: string) => void;
}

const isOn = (options: ProviderOptions): boolean => options.kind === 'oidc' && options.logout === true;

/**
 * `providers.signOut`. No ID token of the provider is kept for `id_token_hint`: a stolen copy of the store, or a cookie, would
 * contain a token of each user. The provider gets `client_id` and `logout_hint` instead, and may show a page that asks the user.
 */
export const createSignOut =
  ({ providers, assertCallback }: SignOutDependencies): ProviderOperations['signOut'] =>
  async ({ provider: name, callback, ...request }) => {
    // The session may be older than the configuration: a provider that is not there any more gets nothing.
    const found = providers.find(({ options }) => options.name === name);
    if (found === undefined || !isOn(found.options)) return undefined;
    assertCallback(callback, name);
    try {
      const url = await found.upstream.logoutUrl?.({ ...request, returnTo: `${callback}/signed-out` });
      return url === undefined ? undefined : { url };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : 'error';
      throw new AccountsError('unavailable', `The provider ${name} does not answer (${reason}).`, { cause });
    }
  };
