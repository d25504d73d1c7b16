import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { problemOf } from './request-limits.ts';
import { stateOf } from './request-state.ts';

/** How far ahead a request object may expire, and how long it may count in all. */
const maxLifetimeSeconds = 3_600;

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * What every request object has to be, before its claims count as parameters: no larger and no stranger than the same
 * parameters in a URL (D10). Pushed requests pass here as well, for oidc-provider keeps them as unsigned JWTs.
 */
export const createRequestObjectCheck =
  (now: () => number) =>
  (ctx: KoaContextWithOIDC, claims: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(claims)) {
      const problem = problemOf(name, asText(value));
      if (problem) throw new errors.InvalidRequestObject(problem);
    }
    const { nbf, exp } = claims;
    const beginsAt = Math.min(now() / 1000, typeof nbf === 'number' ? nbf : Number.POSITIVE_INFINITY);
    if (typeof exp === 'number' && exp - beginsAt > maxLifetimeSeconds) {
      throw new errors.InvalidRequestObject(`request objects must not live longer than ${maxLifetimeSeconds} seconds`);
    }
    stateOf(ctx).requestObject = claims;
  };
