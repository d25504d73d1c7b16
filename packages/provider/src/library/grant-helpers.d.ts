/** oidc-provider 9.13 has no types for its helpers. */
declare module 'oidc-provider/lib/helpers/grants.js' {
  type Provider = import('oidc-provider').Provider;
  type Context = import('oidc-provider').KoaContextWithOIDC;

  /** A verified DPoP proof (RFC 9449). */
  interface Proof {
    readonly thumbprint: string;
    readonly jti: string;
  }

  export function validateDpop(provider: Provider, ctx: Context): Promise<Proof | undefined>;
}
