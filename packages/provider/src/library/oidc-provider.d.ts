/** oidc-provider 9.13 has no types for its helpers and actions. */
declare module 'oidc-provider/lib/helpers/grants.js' {
  type Provider = import('oidc-provider').Provider;
  type Context = import('oidc-provider').KoaContextWithOIDC;

  /** A verified DPoP proof (RFC 9449). */
  interface Proof {
    readonly thumbprint: string;
    readonly jti: string;
  }

  export function validateDpop(provider: Provider, ctx: Context, accessToken?: string): Promise<Proof | undefined>;
}

declare module 'oidc-provider/lib/actions/discovery.js' {
  /** Sets the body. */
  export default function discovery(ctx: { readonly oidc: object; body?: unknown }): void;
}

declare module 'oidc-provider/lib/actions/jwks.js' {
  /** Sets the body. */
  export default function renderJWKS(ctx: { readonly oidc: object; body?: unknown }): void;
}

declare module 'oidc-provider/lib/shared/client_auth.js' {
  type Step = import('koa').Middleware;
  export function getClientAuthParams(ctx: object): ReadonlySet<string>;
  /** Refuses repeated parameters; sets `WWW-Authenticate`; authenticates the client. */
  const steps: readonly [Step, Step, Step];
  export default steps;
}

declare module 'oidc-provider/lib/actions/authorization/process_request_object.js' {
  const openRequestObject: import('koa').Middleware;
  export default openRequestObject;
}

declare module 'oidc-provider/lib/actions/authorization/request_parameters.js' {
  export const assembleAuthorizationParams: import('koa').Middleware;
}
