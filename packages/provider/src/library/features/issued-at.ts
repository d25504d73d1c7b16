import type { Middleware } from 'koa';
import { decodeJwtPayload } from '../../flow/jwt-payload.ts';
import { routes } from '../paths.ts';
import { oauthError, respondWith } from '../respond.ts';

/** FAPI 2.0 Security Profile, section 5.3.2.1, 13: clocks differ by seconds, not by minutes. */
const maxAheadSeconds = 60;

interface Times {
  readonly iat?: unknown;
  readonly nbf?: unknown;
}

const isAhead = ({ iat, nbf }: Times, nowSeconds: number): boolean =>
  [iat, nbf].some((time) => typeof time === 'number' && time > nowSeconds + maxAheadSeconds);

export const assertNotFromTheFuture = (claims: Times, nowSeconds: number, problem: (text: string) => Error): void => {
  if (isAhead(claims, nowSeconds)) throw problem(`iat and nbf must not be more than ${maxAheadSeconds} seconds ahead`);
};

/**
 * Refuses DPoP proofs of the future, of which oidc-provider accepts up to five minutes. oidc-provider verifies the
 * proof.
 */
export const refuseFutureProofs =
  (nowSeconds: () => number): Middleware =>
  async (ctx, next) => {
    const proof = ctx.get('DPoP');
    if (proof === '' || !isAhead(decodeJwtPayload(proof), nowSeconds())) return next();
    const status = ctx.path === routes.userinfo ? 401 : 400;
    respondWith(ctx, oauthError(status, 'invalid_dpop_proof', 'DPoP proof is from the future'));
    if (status === 401) ctx.set('WWW-Authenticate', 'DPoP error="invalid_dpop_proof"');
  };
