import type { ClientRecord } from '../../clients/client-record.ts';
import type { ScopeMatch } from '../../clients/scope-match.ts';
import type { Envelope } from '../../flow/envelope.ts';
import type { Redemptions } from '../../flow/redemptions.ts';
import type { AccessTokenJwts } from '../../tokens/access-token.ts';

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
