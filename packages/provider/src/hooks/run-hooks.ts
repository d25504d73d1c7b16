import { z } from 'zod';
import type { ClientRecord } from '../clients/client-record.ts';
import { CarnetError } from '../errors.ts';
import { parseJson } from '../http/strict-json.ts';
import { accessDenied, OAuthError } from '../oauth-error.ts';
import type { OutboundClient, OutboundResponse } from '../outbound/outbound-client.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { Logger } from '../telemetry/logger.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { HooksConfig } from './config.ts';
import type { HookAnswer, HookClaims, Hooks, TokenHookRequest } from './hook.ts';
import {
  type HookedLogin,
  type HydraBodyOptions,
  refreshTokenHookBody,
  type ToHookBody,
  tokenHookBody,
} from './hydra-body.ts';

const maxBytes = 262_144;

const claims = z.record(z.string().max(256), z.unknown()).nullish();
const answerBody = z.object({ session: z.object({ access_token: claims, id_token: claims }).default({}) });

/** A hook that gave no valid answer. `isTemporary`: a retry may succeed. */
class HookError extends Error {
  override readonly name = 'HookError';
  readonly isTemporary: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isTemporary: boolean }) {
    super(message, options);
    this.isTemporary = options.isTemporary;
  }
}

const headersOf = (auth: HooksConfig['token']['auth']): Record<string, string> => {
  const headers = { 'content-type': 'application/json; charset=UTF-8' };
  if (auth.value === undefined) return headers;
  return auth.in === 'header'
    ? { ...headers, [auth.name.toLowerCase()]: auth.value }
    : { ...headers, cookie: `${auth.name}=${encodeURIComponent(auth.value)}` };
};

/** @throws {HookError} The body of the answer is neither logged nor sent to the client, because it may hold user data. */
const readAnswer = ({ status, body }: OutboundResponse): HookAnswer => {
  if (status === 204) return undefined;
  if (status === 403) return { denied: true };
  if (status !== 200) throw new HookError(`the hook answered ${status}`, { isTemporary: status >= 500 });
  try {
    const { session } = answerBody.parse(parseJson(body, { what: 'The answer of the hook', maxBytes }));
    return { claims: { accessToken: session.access_token ?? {}, idToken: session.id_token ?? {} } };
  } catch (error) {
    if (!(error instanceof CarnetError || error instanceof z.ZodError)) throw error;
    throw new HookError('the answer of the hook is invalid', { isTemporary: false });
  }
};

/** The tokens that are about to be issued. */
export interface HookedTokens extends Pick<TokenHookRequest, 'grantType' | 'subject' | 'claims'> {
  readonly client: ClientRecord;
  /** The values of a parameter of the token request. */
  readonly parameter: (name: string) => readonly string[];
  /** Absent for tokens without a user. */
  readonly login?: HookedLogin;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
}

/**
 * Calls the hooks for tokens.
 *
 * @returns the claims that the hooks leave
 * @throws {OAuthError} `access_denied` (403) if a hook denies the tokens; 503 or 500 if a hook fails
 */
export type RunHooks = (tokens: HookedTokens) => Promise<HookClaims>;

export interface HookDependencies {
  readonly options: HydraBodyOptions & { readonly hooks: HooksConfig };
  readonly hooks?: Hooks;
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The parameters that hooks receive. Others may be credentials, or values that an attacker could use again. */
const sentParameters = ['grant_type', 'scope', 'audience', 'resource', 'assertion', 'redirect_uri'] as const;

const requestOf = (tokens: HookedTokens): TokenHookRequest => ({
  client: tokens.client.metadata,
  grantType: tokens.grantType,
  subject: tokens.subject,
  requestedScopes: spaceDelimited(tokens.parameter('scope')[0]),
  grantedScopes: tokens.scopes,
  grantedAudience: tokens.audience,
  claims: tokens.claims,
  parameters: Object.fromEntries(
    sentParameters.map((name) => [name, tokens.parameter(name)] as const).filter(([, values]) => values.length > 0),
  ),
});

const toHookError = (cause: unknown): HookError => {
  if (cause instanceof HookError) return cause;
  if (cause instanceof OutboundError) return new HookError(cause.message, { cause, isTemporary: true });
  // An in-process hook that throws has failed, like a hook that cannot be reached.
  return new HookError('the hook threw', { cause, isTemporary: false });
};

/** The hooks run before the commit of the request, so a failed hook leaves codes and refresh tokens unused. */
const failed = ({ isTemporary }: HookError): OAuthError =>
  isTemporary
    ? new OAuthError('temporarily_unavailable', 'the token hook failed', { status: 503 })
    : new OAuthError('server_error', 'the token hook failed', { status: 500 });

const apply = (answer: HookAnswer, claims: HookClaims): HookClaims => {
  if (answer === undefined) return claims;
  if ('denied' in answer) throw accessDenied('a hook has denied the token', 403);
  return { accessToken: answer.claims.accessToken ?? {}, idToken: answer.claims.idToken ?? {} };
};

/**
 * Runs all hooks in turn, refresh token hooks first. Each receives the claims that the hook before it has left.
 *
 * @returns undefined if there are no hooks
 */
export const createHookRunner = (deps: HookDependencies): RunHooks | undefined => {
  const { options, hooks = {}, outbound, logger } = deps;
  const { token, refreshToken, timeoutMs } = options.hooks;
  type Hook = (tokens: HookedTokens) => HookAnswer | Promise<HookAnswer>;

  /** A hook that is called by HTTP, as in Hydra: 200 replaces the claims, 204 keeps them, 403 denies the tokens. */
  const http = ({ url, auth }: typeof token, toBody: ToHookBody): readonly Hook[] => {
    if (url === undefined) return [];
    const request = { url, method: 'POST', headers: headersOf(auth), purpose: 'hook', timeoutMs, maxBytes } as const;
    return [
      async (tokens) => {
        const body = JSON.stringify(toBody(requestOf(tokens), tokens.login, options));
        return readAnswer(await outbound.send({ ...request, body }));
      },
    ];
  };
  const inProcess = (hook: Hooks['token']): readonly Hook[] => (hook ? [(tokens) => hook(requestOf(tokens))] : []);
  const onRefresh = [...http(refreshToken, refreshTokenHookBody), ...inProcess(hooks.refreshToken)];
  const onToken = [...http(token, tokenHookBody), ...inProcess(hooks.token)];
  if (onRefresh.length + onToken.length === 0) return undefined;

  const ask = async (hook: Hook, tokens: HookedTokens): Promise<HookAnswer> => {
    try {
      return await hook(tokens);
    } catch (cause) {
      const error = toHookError(cause);
      logger.warn({ err: error }, 'a token hook failed');
      throw failed(error);
    }
  };

  return async (tokens) => {
    let { claims } = tokens;
    const called = tokens.grantType === 'refresh_token' ? [...onRefresh, ...onToken] : onToken;
    for (const hook of called) claims = apply(await ask(hook, { ...tokens, claims }), claims);
    return claims;
  };
};
