import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import {
  buildTokenResponse,
  checkDpopReplay,
  checkDpopRequired,
  checkMtlsCert,
  resolveRequestedResources,
  validateDpop,
} from 'oidc-provider/lib/helpers/grants.js';

/** An access token that a grant issues without a login of a user. */
export interface DirectGrant {
  readonly grantType: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  /** The grant that the token belongs to. */
  readonly grantId?: string;
  /** The maximum lifetime in seconds. The client's lifespans cannot exceed it. */
  readonly maxSeconds?: number;
  /** The subject token is bound to a key, so that the new token must be bound, too: a thief gains no unbound token. */
  readonly mustBeBound?: boolean;
  /** The member of the response (RFC 8693, section 2.2.1). */
  readonly issuedTokenType?: string;
}

/** Bound to the key of a DPoP proof or a client certificate, as any other access token. Answers whether it is. */
const bind = async (provider: Provider, ctx: KoaContextWithOIDC, token: object): Promise<boolean> => {
  const bindable = token as { setThumbprint(kind: 'x5t' | 'jkt', value: unknown): void };
  const proof = await validateDpop(provider, ctx);
  checkDpopRequired(provider, ctx, proof);
  const certificate = checkMtlsCert(provider, ctx);
  if (certificate) bindable.setThumbprint('x5t', certificate);
  if (proof === undefined) return Boolean(certificate);
  await checkDpopReplay(provider, ctx, proof, ctx.oidc.client?.clientId ?? '');
  bindable.setThumbprint('jkt', proof.thumbprint);
  return true;
};

/** Responds with an access token only. Without a user's login there is no refresh token and no ID token. */
export const answerDirectGrant = async (
  provider: Provider,
  ctx: KoaContextWithOIDC,
  { grantType, subject, scopes, grantId, maxSeconds, mustBeBound, issuedTokenType }: DirectGrant,
): Promise<void> => {
  const { client } = ctx.oidc;
  if (client === undefined) throw new errors.InvalidClient('the client is not authenticated');
  const resources = await resolveRequestedResources(provider, ctx);
  if (resources.length > 1) throw new errors.InvalidTarget('only a single resource can be named for this grant type');
  const [resource] = resources;
  const granted = resource ? scopes.filter((scope) => resource.scopes.has(scope)) : scopes;
  const token = new provider.AccessToken({ client, accountId: subject, grantId, gty: grantType } as never);
  Object.assign(token, { scope: granted.join(' '), ...(resource ? { resourceServer: resource } : {}) });
  const isBound = await bind(provider, ctx, token);
  if (mustBeBound && !isBound) {
    throw new errors.InvalidRequest(
      'what is exchanged is bound to a key: prove one of your own (DPoP, or a certificate)',
    );
  }
  if (maxSeconds !== undefined && token.expiration > maxSeconds) Object.assign(token, { expiresIn: maxSeconds });
  ctx.oidc.entity('AccessToken', token);
  const accessToken = await token.save();
  ctx.body = buildTokenResponse(provider, {
    accessToken: String(accessToken),
    expiresIn: token.expiration,
    scope: granted.join(' ') || undefined,
    tokenType: token.tokenType,
    issuedTokenType,
  });
};
