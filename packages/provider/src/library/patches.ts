import type { Context } from 'koa';
import { errors, type Provider } from 'oidc-provider';
import { isIdToken } from '../tokens/id-token-hint.ts';
import { assertionAudiences, createProofUrl, type EndpointOptions } from './client-endpoints.ts';

type Validate = (
  jwt: string,
  client: object,
) => Promise<{
  readonly header: { readonly typ?: string };
  readonly payload: Readonly<Record<string, unknown>>;
}>;

/** Accepts only ID tokens as `id_token_hint`. oidc-provider checks the signature and the audience only. */
const refuseOtherTypes = (provider: Provider): void => {
  const IdTokens = provider.IdToken as unknown as { validate: Validate };
  const { validate } = IdTokens;
  Object.assign(IdTokens, {
    async validate(...args: Parameters<Validate>) {
      const opened = await validate.apply(IdTokens, args);
      if (isIdToken(opened.header.typ, opened.payload)) return opened;
      throw new errors.InvalidRequest('id_token_hint is a token of another type');
    },
  });
};

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

/** Makes oidc-provider accept any scope. `registered.ts` checks whether the client is registered for it. */
const openScopes = (provider: Provider): void => {
  Object.defineProperty(
    (provider.OIDCContext as unknown as { prototype: object }).prototype,
    'requestParamOIDCScopes',
    {
      get(this: { readonly requestParamScopes: Set<string> }) {
        return this.requestParamScopes;
      },
    },
  );
};

/**
 * The patches of oidc-provider's public classes, in one list; `clients.ts` replaces `Client.find`. Check each new version of
 * oidc-provider against it.
 */
export const applyOverrides = (provider: Provider, options: EndpointOptions): void => {
  fixUrls(provider, options);
  openScopes(provider);
  refuseOtherTypes(provider);
};
