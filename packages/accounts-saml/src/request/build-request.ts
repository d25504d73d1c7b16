import type { SamlProviderOptions, UpstreamRequest } from '@carnet/accounts';
import type { ProviderMetadata } from '../metadata/parse-metadata.ts';
import { SamlError } from '../saml-error.ts';
import { createSaml } from './saml.ts';

/** The contexts of the configuration for the classes of the request. Others are unknown to the provider, and would fail. */
const contextsOf = ({ contexts }: SamlProviderOptions, acrValues: readonly string[] = []): readonly string[] =>
  acrValues.flatMap((acr) => contexts[acr] ?? []);

/**
 * The URL with the request (binding HTTP-Redirect).
 *
 * The state is the RelayState, as `state` is in OpenID Connect. The specification limits a RelayState to 80 bytes (SAML Bindings,
 * section 3.4.3); providers return a longer one unchanged, as far as we know. A shorter one would need a record in a store, or the
 * state in a cookie, which with a long login challenge is larger than browsers accept. If a provider cuts it, the sign-in
 * ends as expired.
 */
export const buildRequest = (
  options: SamlProviderOptions,
  metadata: ProviderMetadata,
  { callback, secret, state, prompt, maxAge, acrValues, loginHint }: UpstreamRequest,
): Promise<string> => {
  if (metadata.redirectUrl === undefined) throw new SamlError('no_redirect_binding');
  const contexts = contextsOf(options, acrValues);
  const saml = createSaml(
    options,
    metadata,
    { callback, secret },
    {
      // SAML has no `max_age`: only a new sign-in is certainly recent enough.
      forceAuthn: maxAge !== undefined || (prompt?.split(' ').includes('login') ?? false),
      ...(contexts.length > 0 && { disableRequestedAuthnContext: false, authnContext: [...contexts] }),
      // Not of SAML: Entra and Google fill in their form with it, and others ignore it.
      ...(loginHint !== undefined && { additionalAuthorizeParams: { login_hint: loginHint } }),
    },
  );
  return saml.getAuthorizeUrlAsync(state, undefined, {});
};
