import type { RegisteredMetadata } from './client-schema.ts';

type Metadata = Pick<RegisteredMetadata, 'application_type' | 'redirect_uris'>;

/** A redirect URI that only a program on the user's own machine receives (RFC 8252, section 7.1). */
const isCustomScheme = (uri: string): boolean => !/^https?:/i.test(uri);

/** The type of a client that registers none follows from its redirect URIs. */
export const applicationTypeOf = ({ application_type, redirect_uris }: Metadata): 'native' | 'web' =>
  application_type ?? (redirect_uris.some(isCustomScheme) ? 'native' : 'web');

/** Whether a web client that gets tokens in redirects may not have this URI (OpenID Connect Registration 1.0, section 2). */
const isUnfitForTokens = (uri: string): boolean => {
  const url = URL.parse(uri);
  return url?.protocol === 'http:' || url?.hostname === 'localhost';
};

const bringsTokens = (responseType: string): boolean =>
  responseType.split(' ').some((word) => word === 'token' || word === 'id_token');

/**
 * Whether oidc-provider would refuse each request of this client while the implicit or the hybrid flow is on. Such a client is
 * refused at registration, even while these flows are off.
 */
export const hasUnfitRedirects = (
  metadata: Metadata & Pick<RegisteredMetadata, 'grant_types' | 'response_types'>,
): boolean =>
  metadata.grant_types.includes('implicit') &&
  metadata.response_types.some(bringsTokens) &&
  applicationTypeOf(metadata) === 'web' &&
  metadata.redirect_uris.some(isUnfitForTokens);
