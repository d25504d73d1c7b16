import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { recordOf } from '../library/clients.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { type HookAnswer, HookError, type HookSession, type RefreshTokenHook, type TokenHook } from './hook.ts';
import { createHttpHook } from './http-hook.ts';

type Claims = Readonly<Record<string, unknown>>;

/** What tokens are to say beside what the standards have them say. */
export interface TokenClaims {
  readonly accessToken: Claims;
  readonly idToken: Claims;
}

/** A token that is about to be issued. */
export interface Issued {
  readonly ctx: KoaContextWithOIDC;
  readonly client: object;
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  readonly claims: TokenClaims;
}

export type RunHooks = (issued: Issued) => Promise<TokenClaims>;

type Dependencies = Pick<OidcDependencies, 'options' | 'outbound' | 'hooks' | 'logger'>;

/** Of what the client sent; what is not named here authenticates it, or is worth something to whoever reads it. */
const tellable = ['grant_type', 'scope', 'audience', 'resource', 'assertion', 'redirect_uri'] as const;

const payloadOf = (ctx: KoaContextWithOIDC): Record<string, string[]> => {
  const { body = {} } = ctx.oidc as unknown as { body?: Readonly<Record<string, unknown>> };
  return Object.fromEntries(
    tellable
      .map((name) => [name, [body[name] ?? []].flat().map(String)] as const)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, [...values]]),
  );
};

/** What the tokens come from knows how and when the person has authenticated. */
const loginOf = ({ oidc: { entities } }: KoaContextWithOIDC) => {
  const { AuthorizationCode, RefreshToken, DeviceCode } = entities;
  const { nonce, acr, amr, authTime } = AuthorizationCode ?? RefreshToken ?? DeviceCode ?? {};
  return { nonce: nonce ?? '', acr: acr ?? '', amr: amr ?? null, auth_time: authTime };
};

const sessionOf = ({ ctx, client, subject, claims }: Issued, { options }: Dependencies): HookSession => {
  const { id } = recordOf(client);
  const { issuer, accessTokenClaims } = options;
  return {
    id_token: {
      id_token_claims: {
        jti: '',
        iss: issuer,
        sub: subject,
        aud: [id],
        at_hash: '',
        c_hash: '',
        ...loginOf(ctx),
        ext: claims.idToken,
      },
      headers: { extra: {} },
      username: '',
      subject,
    },
    extra: claims.accessToken,
    client_id: id,
    consent_challenge: '',
    exclude_not_before_claim: accessTokenClaims.excludeNotBefore,
    allowed_top_level_claims: accessTokenClaims.allowedTopLevel,
    mirror_top_level_claims: accessTokenClaims.mirrorTopLevel,
  };
};

const tokenRequest = (issued: Issued, deps: Dependencies): Parameters<TokenHook>[0] => {
  const { ctx, client, scopes, audience } = issued;
  const { id, metadata } = recordOf(client);
  const { params } = ctx.oidc;
  return {
    session: sessionOf(issued, deps),
    request: {
      client_id: id,
      client: metadata,
      requested_scopes: spaceDelimited(params?.scope),
      granted_scopes: scopes,
      granted_audience: audience,
      grant_types: [String(params?.grant_type)],
      payload: payloadOf(ctx),
    },
  };
};

const refreshRequest = (issued: Issued, deps: Dependencies): Parameters<RefreshTokenHook>[0] => {
  const client_id = recordOf(issued.client).id;
  const granted = { granted_scopes: issued.scopes, granted_audience: issued.audience };
  return {
    subject: issued.subject,
    session: sessionOf(issued, deps),
    requester: { client_id, ...granted, grant_types: ['refresh_token'] },
    client_id,
    ...granted,
  };
};

const denied = (): Error =>
  Object.assign(new errors.AccessDenied('a hook has denied the token'), { status: 403, statusCode: 403 });

/** Nothing is used up by it: the commit of the request comes after the hooks, and is not carried out. */
const failed = ({ isTemporary }: HookError, ctx: KoaContextWithOIDC): Error => {
  if (isTemporary) ctx.set('Retry-After', '1');
  const [status, code] = isTemporary ? [503, 'temporarily_unavailable'] : [500, 'server_error'];
  const error = new errors.CustomOIDCProviderError(code as string, 'a hook that is asked for tokens has failed');
  return Object.assign(error, { status, statusCode: status });
};

const apply = (answer: HookAnswer, claims: TokenClaims): TokenClaims => {
  if (answer === undefined) return claims;
  if ('denied' in answer) throw denied();
  return { accessToken: answer.session.access_token ?? {}, idToken: answer.session.id_token ?? {} };
};

/** A program's own hook that throws is a hook that failed. */
const guarded = async (ask: () => HookAnswer | Promise<HookAnswer>): Promise<HookAnswer> => {
  try {
    return await ask();
  } catch (cause) {
    throw cause instanceof HookError ? cause : new HookError('the hook threw', { cause, isTemporary: false });
  }
};

/** Whether anybody is asked for tokens: otherwise they say what they say. */
export const hasTokenHooks = ({ options, hooks = {} }: Pick<Dependencies, 'options' | 'hooks'>): boolean => {
  const { token, refreshToken } = options.hooks;
  return [token.url, refreshToken.url, hooks.token, hooks.refreshToken].some((hook) => hook !== undefined);
};

/** All hooks in turn, those of refreshing first; each is told what the one before has made of the claims. */
export const createHookRunner = (deps: Dependencies): RunHooks => {
  const { options, hooks = {}, outbound, logger } = deps;
  const { token, refreshToken, timeoutMs } = options.hooks;
  const http = ({ url, auth }: typeof token) =>
    url === undefined ? [] : [createHttpHook({ url, auth }, { outbound, timeoutMs })];
  const onRefresh = [...http(refreshToken), ...(hooks.refreshToken ? [hooks.refreshToken] : [])];
  const onToken = [...http(token), ...(hooks.token ? [hooks.token] : [])];

  return async (issued) => {
    let { claims } = issued;
    try {
      const isRefresh = issued.ctx.oidc.params?.grant_type === 'refresh_token';
      for (const hook of isRefresh ? onRefresh : [])
        claims = apply(await guarded(() => hook(refreshRequest({ ...issued, claims }, deps))), claims);
      for (const hook of onToken)
        claims = apply(await guarded(() => hook(tokenRequest({ ...issued, claims }, deps))), claims);
      return claims;
    } catch (error) {
      if (!(error instanceof HookError)) throw error;
      logger.warn({ err: error }, 'a token hook failed');
      throw failed(error, issued.ctx);
    }
  };
};
