/** oidc-provider 9.13 has no types for its helpers and actions. */
declare module 'oidc-provider/lib/helpers/challenge.js' {
  /** Values that are derived from a secret and the minute. */
  export default class ServerChallenge {
    constructor(secret: Buffer, info: string);
    nextChallenge(): string;
    checkChallenge(challenge: string): boolean;
  }
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
