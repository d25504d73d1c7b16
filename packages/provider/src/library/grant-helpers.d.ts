/** Functions of oidc-provider's own grant types. Version 9.13 has no types for them. */
declare module 'oidc-provider/lib/helpers/grants.js' {
  type Provider = import('oidc-provider').Provider;
  type Context = import('oidc-provider').KoaContextWithOIDC;

  /** A DPoP proof that was verified (RFC 9449). */
  interface Proof {
    readonly thumbprint: string;
    readonly jti: string;
  }

  interface TokenResponse {
    readonly accessToken: string;
    readonly expiresIn: number;
    readonly scope?: string;
    readonly tokenType: string;
    readonly issuedTokenType?: string;
  }

  /** A resource server, as `getResourceServerInfo` describes it (RFC 8707). */
  interface RequestedResource {
    readonly scope: string;
    readonly scopes: ReadonlySet<string>;
    identifier(): string;
  }

  export function validateDpop(provider: Provider, ctx: Context): Promise<Proof | undefined>;
  export function checkDpopRequired(provider: Provider, ctx: Context, proof: Proof | undefined): void;
  export function checkDpopReplay(
    provider: Provider,
    ctx: Context,
    proof: Proof | undefined,
    clientId: string,
  ): Promise<void>;
  export function checkMtlsCert(provider: Provider, ctx: Context): unknown;
  export function resolveRequestedResources(provider: Provider, ctx: Context): Promise<readonly RequestedResource[]>;
  export function buildTokenResponse(provider: Provider, response: TokenResponse): Record<string, unknown>;
}
