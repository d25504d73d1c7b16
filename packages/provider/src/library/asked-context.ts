import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import als from 'oidc-provider/lib/helpers/als.js';
import { OAuthError } from '../oauth-error.ts';
import type { RequestState } from './request-state.ts';

/** The members of a Koa context that oidc-provider reads. It has no response. */
export interface AskedContext {
  readonly context: KoaContextWithOIDC;
  /** For the response: `DPoP-Nonce` (RFC 9449, section 8). */
  readonly headers: Record<string, string>;
}

/** @param route the endpoint, by the name that oidc-provider has for it */
export const createAskedContext = (provider: Provider, route: string, message: IncomingMessage): AskedContext => {
  const headers: Record<string, string> = {};
  const ctx = {
    req: message,
    headers: message.headers,
    method: message.method,
    query: {},
    _matchedRouteName: route,
    get: (name: string) => String(message.headers[name.toLowerCase()] ?? ''),
    assert: (isMet: unknown, error: Error) => {
      if (!isMet) throw error;
    },
    set: (name: string, value: string) => {
      if (name === 'dpop-nonce') headers[name] = value;
    },
  };
  const { OIDCContext } = provider as unknown as { OIDCContext: new (ctx: object) => object };
  return { context: Object.assign(ctx, { oidc: new OIDCContext(ctx) }) as unknown as KoaContextWithOIDC, headers };
};

/**
 * An error that the client may see, with headers for its response. oidc-provider's own errors become ours. Without headers our
 * errors stay what they are: the class of an `OriginError` decides who may read the response.
 */
export const toOAuthError = (error: unknown, headers: Readonly<Record<string, string>> = {}): unknown => {
  if (error instanceof OAuthError && Object.keys(headers).length === 0) return error;
  const { error: code, error_description: description, scope, status, expose, headers: own } = error as OAuthError;
  if (code === undefined || !expose) return error;
  return new OAuthError(code, description, { status, scope, headers: { ...own, ...headers }, cause: error });
};

/**
 * Runs steps of oidc-provider. They read and write the unit of work of the state.
 *
 * @throws {OAuthError} the refusal of oidc-provider
 * @throws {CarnetError} the failure of the store, or of another server
 */
export const runSteps = async (
  { context, headers }: AskedContext,
  state: RequestState,
  steps: readonly Middleware[],
): Promise<void> => {
  const run = async (at: number): Promise<void> => {
    await steps[at]?.(context as never, () => run(at + 1));
  };
  try {
    await als.run(context, () => run(0));
  } catch (error) {
    // oidc-provider may have turned a failure into a refusal.
    throw state.failure ?? toOAuthError(error, headers);
  }
  if (state.failure) throw state.failure;
};
