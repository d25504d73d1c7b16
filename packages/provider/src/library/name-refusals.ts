import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { grantTypes } from '../clients/grant-types.ts';
import { spaceDelimited } from '../text/space-delimited.ts';

interface ProviderClient {
  responseTypeAllowed(type: string): boolean;
  grantTypeAllowed(type: string): boolean;
}

/** The grant type that a request uses; undefined at other endpoints. */
const grantTypeOf = ({ oidc }: KoaContextWithOIDC): unknown => {
  if (oidc.route === 'token') return oidc.params?.grant_type;
  if (oidc.route === 'device_authorization') return grantTypes.deviceCode;
  return oidc.route === 'backchannel_authentication' ? grantTypes.ciba : undefined;
};

/** An ID token needs the scope `openid`. Without that scope there is no ID token for a `nonce`, and it is left out. */
const settleNonce = ({ oidc }: KoaContextWithOIDC, responseType: string): void => {
  const params = oidc.params as Record<string, unknown>;
  if (spaceDelimited(params.scope).includes('openid')) return;
  if (spaceDelimited(responseType).includes('id_token'))
    throw new errors.InvalidScope('openid must be in scope for this response_type', 'openid');
  params.nonce = undefined;
};

/**
 * Refuses requests for which a client is not registered with the errors of RFC 6749 (sections 4.1.2.1 and 5.2), as Hydra does.
 * oidc-provider answers `invalid_request`. It checks the response types of a client once for each authorization request, after
 * it has read request objects.
 */
export const nameRefusals = (provider: Provider): void => {
  const { prototype } = provider.Client as unknown as { prototype: ProviderClient };
  const { responseTypeAllowed, grantTypeAllowed } = prototype;
  const currentContext = () => (provider.constructor as typeof Provider).ctx;
  Object.assign(prototype, {
    responseTypeAllowed(this: ProviderClient, type: string): boolean {
      const isAllowed = responseTypeAllowed.call(this, type);
      const ctx = currentContext();
      if (ctx === undefined) return isAllowed;
      if (!isAllowed) throw new errors.UnsupportedResponseType('the client is not registered for this response_type');
      settleNonce(ctx, type);
      return true;
    },
    grantTypeAllowed(this: ProviderClient, type: string): boolean {
      const isAllowed = grantTypeAllowed.call(this, type);
      const ctx = currentContext();
      if (!isAllowed && ctx !== undefined && grantTypeOf(ctx) === type)
        throw new errors.UnauthorizedClient('the client is not registered for this grant type');
      return isAllowed;
    },
  });
};
