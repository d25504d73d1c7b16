import type { ClientRecord } from '../clients/client-record.ts';
import { accessDenied, OAuthError } from '../oauth-error.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { Logger } from '../telemetry/logger.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { HooksConfig } from './config.ts';
import {
  type HookAnswer,
  HookError,
  type HookSession,
  type Hooks,
  type RefreshTokenHook,
  type TokenHook,
} from './hook.ts';
import { createHttpHook } from './http-hook.ts';

type Claims = Readonly<Record<string, unknown>>;

/** The extra claims of tokens, in addition to those that the standards define. */
export interface TokenClaims {
  readonly accessToken: Claims;
  readonly idToken: Claims;
}

/** How and when the user has authenticated. */
interface Login {
  /** Seconds since 1970. */
  readonly authTime?: number;
  readonly nonce?: string;
  readonly acr?: string;
  readonly amr?: readonly string[];
}

/** The tokens that are about to be issued. */
export interface HookedTokens {
  readonly client: ClientRecord;
  readonly grantType: string;
  /** The values of a parameter of the token request. */
  readonly parameter: (name: string) => readonly string[];
  /** Absent for tokens without a user. */
  readonly login?: Login;
  /** The subject as the client sees it. */
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly claims: TokenClaims;
}

/**
 * Calls the hooks for tokens.
 *
 * @returns the claims that the hooks leave
 * @throws {OAuthError} `access_denied` (403) if a hook denies the tokens; 503 or 500 if a hook fails
 */
export type RunHooks = (tokens: HookedTokens) => Promise<TokenClaims>;

export interface HookDependencies {
  readonly options: {
    readonly issuer: string;
    readonly hooks: HooksConfig;
    readonly accessTokenClaims: {
      readonly allowedTopLevel: readonly string[];
      readonly mirrorTopLevel: boolean;
      readonly excludeNotBefore: boolean;
    };
  };
  readonly hooks?: Hooks;
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The parameters that hooks receive. Any other may authenticate the client or be usable once more. */
const sentParameters = ['grant_type', 'scope', 'audience', 'resource', 'assertion', 'redirect_uri'] as const;

const payloadOf = ({ parameter }: HookedTokens): Record<string, readonly string[]> =>
  Object.fromEntries(
    sentParameters.map((name) => [name, parameter(name)] as const).filter(([, values]) => values.length > 0),
  );

const sessionOf = (
  { client, login = {}, subject, claims }: HookedTokens,
  { options }: HookDependencies,
): HookSession => {
  const { issuer, accessTokenClaims } = options;
  return {
    id_token: {
      id_token_claims: {
        jti: '',
        iss: issuer,
        sub: subject,
        aud: [client.id],
        at_hash: '',
        c_hash: '',
        nonce: login.nonce ?? '',
        acr: login.acr ?? '',
        amr: login.amr ?? null,
        auth_time: login.authTime,
        ext: claims.idToken,
      },
      headers: { extra: {} },
      username: '',
      subject,
    },
    extra: claims.accessToken,
    client_id: client.id,
    consent_challenge: '',
    exclude_not_before_claim: accessTokenClaims.excludeNotBefore,
    allowed_top_level_claims: accessTokenClaims.allowedTopLevel,
    mirror_top_level_claims: accessTokenClaims.mirrorTopLevel,
  };
};

const tokenRequest = (tokens: HookedTokens, deps: HookDependencies): Parameters<TokenHook>[0] => ({
  session: sessionOf(tokens, deps),
  request: {
    client_id: tokens.client.id,
    client: tokens.client.metadata,
    requested_scopes: spaceDelimited(tokens.parameter('scope')[0]),
    granted_scopes: tokens.scopes,
    granted_audience: tokens.audience,
    grant_types: [tokens.grantType],
    payload: payloadOf(tokens),
  },
});

const refreshRequest = (tokens: HookedTokens, deps: HookDependencies): Parameters<RefreshTokenHook>[0] => {
  const client_id = tokens.client.id;
  const granted = { granted_scopes: tokens.scopes, granted_audience: tokens.audience };
  return {
    subject: tokens.subject,
    session: sessionOf(tokens, deps),
    requester: { client_id, ...granted, grant_types: ['refresh_token'] },
    client_id,
    ...granted,
  };
};

/** The hooks run before the commit of the request, so a failed hook leaves codes and refresh tokens unused. */
const failed = ({ isTemporary }: HookError): OAuthError =>
  isTemporary
    ? new OAuthError('temporarily_unavailable', 'a hook that is asked for tokens has failed', { status: 503 })
    : new OAuthError('server_error', 'a hook that is asked for tokens has failed', { status: 500 });

const apply = (answer: HookAnswer, claims: TokenClaims): TokenClaims => {
  if (answer === undefined) return claims;
  if ('denied' in answer) throw accessDenied('a hook has denied the token', 403);
  return { accessToken: answer.session.access_token ?? {}, idToken: answer.session.id_token ?? {} };
};

/** An in-process hook that throws has failed, like a hook that cannot be reached. */
const guarded = async (call: () => HookAnswer | Promise<HookAnswer>): Promise<HookAnswer> => {
  try {
    return await call();
  } catch (cause) {
    throw cause instanceof HookError ? cause : new HookError('the hook threw', { cause, isTemporary: false });
  }
};

/**
 * Runs all hooks in turn, refresh token hooks first. Each receives the claims that the hook before it has left.
 *
 * @returns undefined if there are no hooks
 */
export const createHookRunner = (deps: HookDependencies): RunHooks | undefined => {
  const { options, hooks = {}, outbound, logger } = deps;
  const { token, refreshToken, timeoutMs } = options.hooks;
  const http = ({ url, auth }: typeof token) =>
    url === undefined ? [] : [createHttpHook({ url, auth }, { outbound, timeoutMs })];
  const onRefresh = [...http(refreshToken), ...(hooks.refreshToken ? [hooks.refreshToken] : [])];
  const onToken = [...http(token), ...(hooks.token ? [hooks.token] : [])];
  if (onRefresh.length + onToken.length === 0) return undefined;

  return async (tokens) => {
    let { claims } = tokens;
    try {
      for (const hook of tokens.grantType === 'refresh_token' ? onRefresh : [])
        claims = apply(await guarded(() => hook(refreshRequest({ ...tokens, claims }, deps))), claims);
      for (const hook of onToken)
        claims = apply(await guarded(() => hook(tokenRequest({ ...tokens, claims }, deps))), claims);
      return claims;
    } catch (error) {
      if (!(error instanceof HookError)) throw error;
      logger.warn({ err: error }, 'a token hook failed');
      throw failed(error);
    }
  };
};
