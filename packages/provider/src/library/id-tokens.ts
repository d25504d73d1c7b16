import { randomUUID } from 'node:crypto';
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { extraClaims } from '../tokens/extra-claims.ts';
import { isIdTokenType } from '../tokens/id-token-hint.ts';
import type { OidcOptions } from './dependencies.ts';
import { currentState, stateOf } from './request-state.ts';

interface IdToken {
  readonly ctx?: KoaContextWithOIDC;
  available: Readonly<Record<PropertyKey, unknown>>;
  set(name: string, value: unknown): void;
}

/** An ID token that travels in a URL: longer ones leave out what the client can get elsewhere. */
const maxLengthInUrl = 1_400;
/** The parameters of an answer in a URL, so that Location and Set-Cookie stay under 4 KB together. */
const maxAnswerLength = 3_400;

const travelsInUrl = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.route === 'resume' && !String(oidc.responseMode).startsWith('form_post');

type Validate = (jwt: string, client: object) => Promise<{ readonly header: { readonly typ?: string } }>;

/** What comes back as `id_token_hint` was an ID token. oidc-provider looks at its signature and audience alone. */
export const refuseOtherTypes = (provider: Provider): void => {
  const IdTokens = provider.IdToken as unknown as { validate: Validate };
  const { validate } = IdTokens;
  Object.assign(IdTokens, {
    async validate(...args: Parameters<Validate>) {
      const opened = await validate.apply(IdTokens, args);
      if (isIdTokenType(opened.header.typ)) return opened;
      throw new errors.InvalidRequest('id_token_hint is a token of another type');
    },
  });
};

/**
 * An ID token names what it came with (OpenID Connect Core, 3.1.3.6 and 3.3.2.11; `s_hash`: FAPI 1.0 part 2, 5.1), and
 * has an id of its own.
 */
export const completeIdTokens = (provider: Provider): void => {
  const { prototype } = provider.IdToken as unknown as {
    prototype: { issue(options: { use: string }): Promise<string> };
  };
  const { issue } = prototype;
  Object.assign(prototype, {
    async issue(this: IdToken, options: { use: string }) {
      const { ctx } = this;
      if (options.use !== 'idtoken' || ctx === undefined) return issue.call(this, options);
      this.set('at_hash', stateOf(ctx).accessToken);
      this.set('jti', randomUUID());
      if (!ctx.oidc.route.startsWith('resume')) return issue.call(this, options);
      const { state, response_type: responseType } = ctx.oidc.params as Record<string, string | undefined>;
      this.set('s_hash', state);
      const full = await issue.call(this, options);
      if (full.length <= maxLengthInUrl || responseType === 'id_token' || !travelsInUrl(ctx)) return full;
      const { [extraClaims]: _left, ...rest } = this.available;
      this.available = rest;
      return issue.call(this, options);
    },
  });
};

/**
 * The parameters of an authorization response beside the tokens: the issuer (RFC 9207, section 2), and the granted scope,
 * as in Hydra. FAPI 2.0 has no such parameter: there only the token response has `scope`.
 */
export const completeAnswers = (provider: Provider, { features }: Pick<OidcOptions, 'features'>): void => {
  provider.on('authorization.success', (ctx: KoaContextWithOIDC, out: Record<string, unknown> = {}) => {
    const state = currentState();
    if (!features.fapi.enabled) out.scope = state.flow?.consent?.scopes.join(' ');
    if (!String(ctx.oidc.responseMode).includes('jwt')) out.iss = provider.issuer;
    const isLong = new URLSearchParams(out as Record<string, string>).toString().length > maxAnswerLength;
    if (isLong && 'id_token' in out && travelsInUrl(ctx)) {
      state.uow.discard();
      state.grant = undefined;
      throw new errors.InvalidRequest('the answer is too long for a URL: use response_mode form_post');
    }
    state.isAuthorized = true;
  });
};
