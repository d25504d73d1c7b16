import type { IncomingMessage } from 'node:http';
import type { Write } from '@carnet/adapter-contract';
import type { Middleware } from 'koa';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { CarnetError } from '../errors.ts';
import { OAuthError } from '../oauth-error.ts';

/** Results of the checks of a question, beside the answer of oidc-provider. */
interface Findings {
  /** The claims that let client assertions be used once. */
  readonly proofs: Write[];
  /** The claims of the request object (RFC 9101). oidc-provider verifies its signature last: they are valid only without a refusal. */
  requestObject?: Readonly<Record<string, unknown>>;
}

/** The findings for a context that `createAskedContext` has created. */
export const findingsOf = ({ state }: Pick<KoaContextWithOIDC, 'state'>): Findings => state;

/** The members of a Koa context that oidc-provider reads. It has no response. */
export interface AskedContext {
  readonly context: KoaContextWithOIDC;
  /** For the response: `DPoP-Nonce` (RFC 9449, section 8). */
  readonly headers: Record<string, string>;
}

/** @param route the endpoint, by the name that oidc-provider has for it */
export const createAskedContext = (provider: Provider, route: string, message: IncomingMessage): AskedContext => {
  const headers: Record<string, string> = {};
  const state: Findings = { proofs: [] };
  const ctx = {
    req: message,
    headers: message.headers,
    method: message.method,
    state,
    _matchedRouteName: route,
    get: (name: string) => String(message.headers[name.toLowerCase()] ?? ''),
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
export const runSteps = async ({ context, headers }: AskedContext, steps: readonly Middleware[]): Promise<void> => {
  try {
    for (const step of steps) await step(context as never, async () => undefined);
  } catch (error) {
    throw failureIn(error) ?? toOAuthError(error, headers);
  }
};
