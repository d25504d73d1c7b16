import type { Kind, RecordKey } from '@carnet/adapter-contract';

/** What has to be kept in one store, and what that store must not do. */
export interface Group {
  readonly kinds: readonly Kind[];
  /**
   * What the store has to promise outside dev mode. `durable`: it loses nothing. `neverRevives`: what it has lost can be
   * had again, but nothing comes back that was taken back. `nothing`: neither harms.
   */
  readonly needs: 'durable' | 'neverRevives' | 'nothing';
  /** What comes of a store that does not keep to it. */
  readonly otherwise: string;
}

/**
 * What can be given a store of its own. A record of a grant is among the tokens whatever its kind: redemption, rotation
 * and revocation are each one commit.
 */
export const groups = {
  clients: {
    kinds: ['client', 'trusted_issuer', 'registration_token'],
    needs: 'durable',
    otherwise: 'registrations would be gone',
  },
  keys: { kinds: ['key'], needs: 'durable', otherwise: 'what was signed could not be verified any more' },
  tokens: {
    kinds: ['grant', 'access_token', 'refresh_token', 'authorization_code'],
    needs: 'durable',
    otherwise: 'a code that was used could be used again',
  },
  clientCredentials: {
    kinds: ['client_credentials'],
    needs: 'neverRevives',
    otherwise: 'a token that was revoked could be active again',
  },
  sessions: {
    kinds: ['session'],
    needs: 'neverRevives',
    otherwise: 'somebody who logged out could be logged in again',
  },
  consents: { kinds: ['consent'], needs: 'neverRevives', otherwise: 'a consent that was taken back could count again' },
  replays: { kinds: ['replay'], needs: 'durable', otherwise: 'what was used once could be used again' },
  deliveries: { kinds: ['delivery'], needs: 'durable', otherwise: 'clients would not hear of a logout' },
  flows: {
    kinds: ['flow', 'pushed_request', 'device', 'backchannel_request', 'counter'],
    needs: 'nothing',
    otherwise: '',
  },
} as const satisfies Record<string, Group>;

export type GroupName = keyof typeof groups;

export const groupNames = Object.keys(groups) as readonly GroupName[];

const groupByKind = new Map<Kind, GroupName>(
  groupNames.flatMap((name) => groups[name].kinds.map((kind) => [kind, name] as const)),
);

/** Where a record belongs. */
export const groupOf = ({ kind, grantId }: Pick<RecordKey, 'kind' | 'grantId'>): GroupName =>
  grantId === undefined ? (groupByKind.get(kind) as GroupName) : 'tokens';
