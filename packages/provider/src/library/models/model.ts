import type { ClientRecord } from '../../clients/client-record.ts';
import type { ScopeMatch } from '../../clients/scope-match.ts';
import { createTokenBucket } from '../../concurrency/token-bucket.ts';
import type { Envelope } from '../../flow/envelope.ts';
import type { Redemptions } from '../../flow/redemptions.ts';
import type { AccessTokenJwts } from '../../tokens/access-token.ts';
import type { RequestState } from '../request-state.ts';

/** The storage of one model of oidc-provider. It reads from and writes to the unit of work of the request. */
export interface ModelAdapter {
  upsert(id: string, payload: Record<string, unknown>, ttlSeconds: number): Promise<void>;
  find(id: string): Promise<Record<string, unknown> | undefined>;
  findByUid(uid: string): Promise<undefined>;
  findByUserCode(userCode: string): Promise<undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

export interface ModelOptions {
  readonly envelope: Envelope;
  readonly redemptions: Redemptions;
  readonly scopeMatch: ScopeMatch;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly now: () => number;
  readonly jwts: Pick<AccessTokenJwts, 'open'>;
}

/** A model that stores nothing. Other models override some of its functions. */
export const nothing: ModelAdapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** Revokes a grant with its tokens, at most once in a request. */
export const revokeOnce = (state: RequestState, redemptions: Redemptions, grantId: string): void => {
  if (state.uow.writes().some((write) => write.type === 'revoke' && write.grantId === grantId)) return;
  // Committed even if the response is an error, as when a code was used twice.
  for (const write of redemptions.revocation(grantId)) state.uow.writeAlways(write);
};

/**
 * Limits the rows that requests of public clients create: any caller can send such a request.
 *
 * @returns whether a row may be created now
 */
export const createPublicQuota = (now: () => number): (() => boolean) =>
  createTokenBucket({ perSecond: 20, atOnce: 200, now });
