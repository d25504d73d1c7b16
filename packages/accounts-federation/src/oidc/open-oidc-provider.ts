import type { OidcProviderOptions, UpstreamDependencies, UpstreamProvider } from '@carnet/accounts';
import { presetOf } from '../presets/presets.ts';
import { clientAuthenticationOf } from './client-authentication.ts';
import { createConfigurations } from './configurations.ts';
import { buildLogoutUrl } from './logout-url.ts';
import { failureOf } from './reasons.ts';
import { buildRequest } from './request.ts';
import { verifyAnswer } from './verify.ts';
import { createVerifyLogout } from './verify-logout.ts';

/**
 * Opens an OpenID Provider, or one of the presets. It sends no request before the first sign-in.
 *
 * @throws TypeError if the private key cannot be used
 */
export const openOidcProvider = async (
  options: OidcProviderOptions,
  { send, now }: Pick<UpstreamDependencies, 'send' | 'now'>,
): Promise<UpstreamProvider> => {
  const preset = presetOf(options);
  const authentication = await clientAuthenticationOf(options, preset, now);
  const configurations = createConfigurations({ options, preset, authentication, send, now });
  return {
    stateParameter: 'state',
    authorizationUrl: async (request) => {
      try {
        return await buildRequest({ options, preset }, await configurations.current(), request);
      } catch (error) {
        // Without the cause: errors of openid-client hold the answer of the provider.
        throw new Error(failureOf(error).reason);
      }
    },
    verify: async (answer) => {
      try {
        return await verifyAnswer({ options, preset }, await configurations.current(), answer);
      } catch (error) {
        return failureOf(error);
      }
    },
    logoutUrl: async (request) => {
      try {
        return buildLogoutUrl(preset, await configurations.current(), request);
      } catch (error) {
        throw new Error(failureOf(error).reason);
      }
    },
    ...(preset.isOpenId && { verifyLogout: createVerifyLogout({ options, preset, configurations, send, now }) }),
  };
};
