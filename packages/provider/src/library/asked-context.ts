import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { CarnetError } from '../errors.ts';
import { OAuthError } from '../oauth-error.ts';

/**
 * The members of a Koa context that oidc-provider reads. It has no response.
 *
 * @param route the endpoint, by the name that oidc-provider has for it
 */
export const createAskedContext = (provider: Provider, route: string, message: IncomingMessage): KoaContextWithOIDC => {
  const ctx = {
    req: message,
    headers: message.headers,
    method: message.method,
    _matchedRouteName: route,
    get: (name: string) => String(message.headers[name.toLowerCase()] ?? ''),
  };
  const { OIDCContext } = provider as unknown as { OIDCContext: new (ctx: object) => object };
  return Object.assign(ctx, { oidc: new OIDCContext(ctx) }) as unknown as KoaContextWithOIDC;
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

/** The failure of the store or of another server, which oidc-provider may have turned into a refusal of the client. */
export const failureIn = (error: unknown): CarnetError | undefined => {
  if (error instanceof CarnetError) return error;
  return error instanceof Error ? failureIn(error.cause) : undefined;
};

/**
 * Runs steps of oidc-provider, each of which calls the next one last.
 *
 * @throws {OAuthError} the refusal of oidc-provider
 * @throws {CarnetError} the failure of the store, or of another server
 */
export const runSteps = async (context: KoaContextWithOIDC, steps: readonly Middleware[]): Promise<void> => {
  try {
    for (const step of steps) await step(context as never, async () => undefined);
  } catch (error) {
    throw failureIn(error) ?? toOAuthError(error);
  }
};
