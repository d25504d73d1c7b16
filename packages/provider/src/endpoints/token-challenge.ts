import type { FeaturesConfig } from '../library/features/config.ts';
import { OAuthError } from '../oauth-error.ts';
import type { ActiveToken } from '../tokens/active-token.ts';
import type { EndpointRequest } from './endpoint.ts';

/** The description of a request without a token: its challenges say nothing of an error (RFC 6750, section 3.1). */
export const noToken = 'no access token provided';

export interface ChallengeDependencies {
  readonly options: { readonly issuer: string; readonly features: Pick<FeaturesConfig, 'dpop'> };
  /** The algorithms of DPoP proofs, which challenges name (RFC 9449, section 7.1). */
  readonly proofAlgorithms: readonly string[];
}

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;

const challengeOf = (scheme: string, fields: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${quoted(value)}`,
  );
  return `${scheme} ${given.join(', ')}`;
};

/** The refusals of userinfo, with their challenges (RFC 6750, section 3; RFC 9449, section 7.1). */
export const createChallenge = ({ options, proofAlgorithms }: ChallengeDependencies) => {
  const realm = options.issuer;
  const isDpop = options.features.dpop.enabled;
  const algs = proofAlgorithms.join(' ');

  const challengesOf = ({ error, error_description, scope }: OAuthError, isBound: boolean): string | string[] => {
    if (error_description === noToken) {
      const bearer = challengeOf('Bearer', { realm });
      return isDpop ? [bearer, challengeOf('DPoP', { realm, algs })] : bearer;
    }
    const fields = { realm, error, error_description, scope };
    return isBound ? challengeOf('DPoP', { ...fields, algs }) : challengeOf('Bearer', fields);
  };

  return (refusal: OAuthError, request: EndpointRequest, token: ActiveToken | undefined): OAuthError => {
    const { error, error_description = '', scope } = refusal;
    const isBoundToKey = token?.cnf !== undefined && 'jkt' in token.cnf;
    const isBound = isDpop && (isBoundToKey || Boolean(request.headers.dpop) || /dpop/i.test(error_description));
    const isOfProof = error === 'invalid_dpop_proof' || error === 'use_dpop_nonce';
    return new OAuthError(error, error_description, {
      status: isOfProof ? 401 : refusal.status,
      scope,
      headers: { ...refusal.headers, 'WWW-Authenticate': challengesOf(refusal, isBound) },
      cause: refusal,
    });
  };
};
