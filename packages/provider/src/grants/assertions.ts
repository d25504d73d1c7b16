import type { Write } from '@carnet/adapter-contract';
import { replayMarginSeconds } from '../flow/redemptions.ts';
import { invalidGrant } from '../oauth-error.ts';
import { recordId } from '../storage/record-id.ts';
import { createBatchedRead } from '../storage/unit-of-work.ts';
import {
  AssertionError,
  nameAssertion,
  type TrustedAssertion,
  type VerifiedAssertion,
  verifyByOneOf,
} from '../trust/assertion.ts';
import { createAssertionKeys } from '../trust/assertion-keys.ts';
import type { GrantDependencies, RequestStore } from './grant.ts';

type ClaimWrite = Extract<Write, { readonly type: 'claim' }>;

/** An assertion of a trusted issuer, with the claim that lets it be used once. Without a `jti` there is none. */
export interface OpenedAssertion extends TrustedAssertion {
  readonly claim: ClaimWrite | undefined;
}

/** @throws {OAuthError} `invalid_grant` for an assertion that no trusted issuer has signed, or that is not valid */
export type OpenAssertion = (jwt: string, store: RequestStore) => Promise<OpenedAssertion>;

export interface AssertionGrantDependencies extends GrantDependencies {
  readonly openAssertion: OpenAssertion;
}

/**
 * An assertion with an id is used once (RFC 7523, section 3): the claim is in the commit of the tokens, so that one of
 * several parallel uses succeeds, and a failed request does not use up the assertion.
 */
const claimOf = ({ issuer, jti, exp }: VerifiedAssertion): ClaimWrite | undefined => {
  if (jti === undefined) return undefined;
  const id = recordId(JSON.stringify(['assertion', issuer, jti]));
  const expiresAt = new Date((exp + replayMarginSeconds) * 1000);
  return { type: 'claim', record: { kind: 'replay', id, payload: '{}', expiresAt } };
};

export const createOpenAssertion = ({ options, adapter, grantAudiences, now }: GrantDependencies): OpenAssertion => {
  const { maxAssertionSeconds: maxSeconds, iatOptional, jtiOptional } = options.features.jwtBearer;
  const keysFor = createAssertionKeys({ adapter, now });
  const rules = { audience: grantAudiences, maxSeconds, iatOptional, jtiOptional };
  return async (jwt, store) => {
    try {
      const issuers = await keysFor(nameAssertion(jwt), createBatchedRead(store));
      const opened = await verifyByOneOf(jwt, issuers, { ...rules, now: now() });
      return { ...opened, claim: claimOf(opened.assertion) };
    } catch (error) {
      if (error instanceof AssertionError) throw invalidGrant(error.message, error);
      throw error;
    }
  };
};
