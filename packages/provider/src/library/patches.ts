import type { Context } from 'koa';
import type { Provider } from 'oidc-provider';
import { assertionAudiences, createProofUrl, type EndpointOptions } from './client-endpoints.ts';

/** Builds all URLs (D7) and the accepted audiences of assertions (D8) from the issuer, never from the Host header. */
const fixUrls = (provider: Provider, options: EndpointOptions): void => {
  const audiences = assertionAudiences(options);
  const proofUrl = createProofUrl(options);
  Object.assign((provider.OIDCContext as unknown as { prototype: object }).prototype, {
    urlFor(
      this: { readonly route: string; readonly ctx: Context },
      name: string,
      parameters?: Record<string, unknown>,
    ): string {
      const url = provider.urlFor(name, parameters);
      return name === this.route ? proofUrl(url, this.ctx.get('DPoP')) : url;
    },
    clientJwtAuthExpectedAudience: () => audiences,
  });
};

/**
 * The patches of oidc-provider's public classes, in one list; `clients.ts` replaces `Client.find`. Check each new version of
 * oidc-provider against it.
 */
export const applyOverrides = (provider: Provider, options: EndpointOptions): void => {
  fixUrls(provider, options);
};
