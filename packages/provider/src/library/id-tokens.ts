import { type Configuration, errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import type { IdTokens } from '../tokens/id-token.ts';
import { authenticationOf, type IdTokenParts } from '../tokens/id-token-claims.ts';
import { isIdToken } from '../tokens/id-token-hint.ts';
import type { UserinfoClaims } from '../tokens/userinfo-claims.ts';
import { recordOf } from './clients.ts';
import { forcedSubjectOf, grantDetailsOf } from './presented-subject.ts';
import { currentState, rememberFailure, stateOf } from './request-state.ts';

const userinfoClaims = Symbol('userinfo claims');

/**
 * The user as oidc-provider sees them. Carnet stores no users: the claims are those of `tokens/userinfo-claims.ts` and,
 * for ID tokens, of `tokens/id-token.ts`.
 */
export const createFindAccount =
  (claimsOf: UserinfoClaims): NonNullable<Configuration['findAccount']> =>
  (ctx, subject) => ({
    accountId: subject,
    claims: async (use) => {
      const { client, entities } = ctx.oidc;
      if (use !== 'userinfo' || client === undefined) return { sub: subject };
      const grant = { ...grantDetailsOf(ctx), forcedSubject: forcedSubjectOf(ctx) };
      const iat = entities.AccessToken?.iat ?? 0;
      return { sub: subject, [userinfoClaims]: claimsOf({ client: recordOf(client), accountId: subject, grant, iat }) };
    },
  });

/** oidc-provider answers with the claims of its own configuration only: userinfo gets all of Carnet's instead. */
export const replaceUserinfoClaims = (provider: Provider): void => {
  type Claims = Readonly<Record<string, unknown>>;
  const { prototype } = provider.Claims as unknown as { prototype: { result(): Promise<Claims> } };
  const { result } = prototype;
  Object.assign(prototype, {
    result(this: { readonly available: { readonly [userinfoClaims]?: Claims } }) {
      return this.available[userinfoClaims] ?? result.call(this);
    },
  });
};

/** An ID token as oidc-provider has gathered it. */
interface LibraryIdToken {
  readonly ctx?: KoaContextWithOIDC;
  readonly client: object;
  readonly extra: { readonly sid?: string; readonly nonce?: string; readonly c_hash?: string };
  /** The requested claims. */
  readonly mask: Readonly<Record<string, unknown>>;
}

type Issue = (this: LibraryIdToken, options: { use: string }) => Promise<string>;

/** Characters of an ID token in a URL. */
const maxLengthInUrl = 1_400;
/** The parameters of an answer in a URL, so that Location and Set-Cookie stay under 4 KB together. */
const maxAnswerLength = 3_400;

const travelsInUrl = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.route === 'resume' && !String(oidc.responseMode).startsWith('form_post');

interface OpenedJwt {
  readonly header: { readonly typ?: string };
  readonly payload: Readonly<Record<string, unknown>>;
}

type Validate = (jwt: string, client: object) => Promise<OpenedJwt>;

/** Accepts only ID tokens as `id_token_hint`. oidc-provider checks the signature and the audience only. */
export const refuseOtherTypes = (provider: Provider): void => {
  const IdTokens = provider.IdToken as unknown as { validate: Validate };
  const { validate } = IdTokens;
  Object.assign(IdTokens, {
    async validate(...args: Parameters<Validate>) {
      const opened = await validate.apply(IdTokens, args);
      if (isIdToken(opened.header.typ, opened.payload)) return opened;
      throw new errors.InvalidRequest('id_token_hint is a token of another type');
    },
  });
};

/** ID tokens of the authorization endpoint are issued by `tokens/id-token.ts`, from what oidc-provider has gathered. */
export const issueIdTokens = (provider: Provider, idTokens: IdTokens, now: () => number): void => {
  const { prototype } = provider.IdToken as unknown as { prototype: { issue: Issue } };
  const { issue } = prototype;

  const partsOf = ({ ctx, client, extra, mask }: Required<LibraryIdToken>): IdTokenParts => {
    const { flow, accessToken } = stateOf(ctx);
    if (flow?.login === undefined) throw new TypeError('an ID token without a login');
    const { sid, nonce, c_hash: code } = extra;
    const { state, response_type } = flow.params;
    return {
      client: recordOf(client),
      grantType: 'implicit',
      accountId: flow.login.subject,
      grant: { idToken: grantDetailsOf(ctx).idToken, forcedSubject: flow.login.forcedSubject },
      authentication: authenticationOf({ ...flow.login, sid, nonce }),
      requested: mask,
      isWithoutUserinfo: response_type === 'id_token',
      hashed: { accessToken, code, state },
      iat: Math.floor(now() / 1000),
    };
  };

  Object.assign(prototype, {
    async issue(this: LibraryIdToken, options: { use: string }) {
      const { ctx } = this;
      if (options.use !== 'idtoken' || ctx === undefined) return issue.call(this, options);
      const parts = partsOf({ ...this, ctx });
      // Without userinfo, the ID token alone has the claims.
      const mayBeShortened = travelsInUrl(ctx) && !parts.isWithoutUserinfo;
      const maxLength = mayBeShortened ? maxLengthInUrl : undefined;
      return rememberFailure(stateOf(ctx), () => idTokens.issue(parts, { maxLength }));
    },
  });
};

/**
 * The parameters of an authorization response beside the tokens: the issuer (RFC 9207, section 2), and the granted
 * scope, as in Hydra. FAPI 2.0 has no such parameter: there only the token response has `scope`.
 */
export const completeAnswers = (
  provider: Provider,
  { features }: { readonly features: { readonly fapi: { readonly enabled: boolean } } },
): void => {
  provider.on('authorization.success', (ctx: KoaContextWithOIDC, out: Record<string, unknown> = {}) => {
    const state = currentState();
    if (!features.fapi.enabled) out.scope = state.flow?.consent?.scopes.join(' ');
    if (!String(ctx.oidc.responseMode).includes('jwt')) out.iss = provider.issuer;
    const isLong = new URLSearchParams(out as Record<string, string>).toString().length > maxAnswerLength;
    if (isLong && 'id_token' in out && travelsInUrl(ctx)) {
      state.uow.discard();
      state.grant = undefined;
      throw new errors.InvalidRequest('the response is too long for a URL: use response_mode=form_post');
    }
    state.isAuthorized = true;
  });
};
