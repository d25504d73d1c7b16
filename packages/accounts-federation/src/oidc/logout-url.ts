import type { UpstreamLogoutRequest } from '@carnet/accounts';
import { buildEndSessionUrl, type Configuration } from 'openid-client';
import type { Preset } from '../presets/preset.ts';

/** The URL of a logout request (OpenID Connect RP-Initiated Logout 1.0). Undefined if the provider has no endpoint for it. */
export const buildLogoutUrl = (
  { takesLocales }: Pick<Preset, 'takesLocales'>,
  configuration: Configuration,
  { returnTo, loginHint, uiLocales }: UpstreamLogoutRequest,
): string | undefined => {
  if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
  return buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: returnTo,
    ...(loginHint !== undefined && { logout_hint: loginHint }),
    ...(takesLocales && uiLocales !== undefined && { ui_locales: uiLocales }),
  }).href;
};
