import type { Capabilities, Kind, RecordKey, StorageAdapter } from '@carnet/adapter-contract';
import { ConfigError } from '../errors.ts';

/** Kinds of records that share a store, and the requirements of that store. */
export interface Group {
  readonly kinds: readonly Kind[];
  /**
   * The required capability outside dev mode. `durable`: it loses no record. `neverRevives`: it may lose records, but
   * never restores a removed one. `nothing`: none.
   */
  readonly needs: 'durable' | 'neverRevives' | 'nothing';
  /** The effect of a store without the capability. */
  readonly otherwise: string;
}

/**
 * The groups of records that can have their own store. Every record of a grant is in the group of the tokens, so that
 * redemption, rotation and revocation are one commit each.
 */
export const groups = {
  clients: {
    kinds: ['client', 'trusted_issuer', 'registration_token'],
    needs: 'durable',
    otherwise: 'registrations would be lost',
  },
  keys: { kinds: ['key'], needs: 'durable', otherwise: 'tokens could not be verified' },
  tokens: {
    kinds: ['grant', 'access_token', 'refresh_token', 'authorization_code'],
    needs: 'durable',
    otherwise: 'a used code could be used again',
  },
  clientCredentials: {
    kinds: ['client_credentials'],
    needs: 'neverRevives',
    otherwise: 'a revoked token could be active again',
  },
  sessions: {
    kinds: ['session'],
    needs: 'neverRevives',
    otherwise: 'a user who signed out could be signed in again',
  },
  consents: { kinds: ['consent'], needs: 'neverRevives', otherwise: 'a revoked consent could be valid again' },
  replays: { kinds: ['replay'], needs: 'durable', otherwise: 'a used assertion could be used again' },
  deliveries: { kinds: ['delivery'], needs: 'durable', otherwise: 'clients would not be notified of a logout' },
  events: { kinds: ['event'], needs: 'durable', otherwise: 'webhooks would not get their events' },
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

/** The group of a record. */
export const groupOf = ({ kind, grantId }: Pick<RecordKey, 'kind' | 'grantId'>): GroupName =>
  grantId === undefined ? (groupByKind.get(kind) as GroupName) : 'tokens';

const problemOf = ({ needs, otherwise }: Group, capabilities: Capabilities): string | undefined => {
  if (needs === 'nothing') return undefined;
  // The one step that keeps codes single-use: their redemption records are never in a store that may lose records.
  if (needs === 'durable' && !capabilities.durable) return `it may lose committed records: ${otherwise}`;
  if (!capabilities.neverRevives) return `removed records may come back: ${otherwise}`;
  return undefined;
};

/** Refuses stores that lack a required capability, as declared by their adapter. Dev mode requires none. */
export const assertFits = (
  stores: Readonly<Record<GroupName, Pick<StorageAdapter, 'capabilities'>>>,
  { dev }: { readonly dev: boolean },
): void => {
  if (dev) return;
  const problems = groupNames.flatMap((name) => {
    const { capabilities } = stores[name];
    const problem = problemOf(groups[name], capabilities);
    if (problem === undefined) return [];
    const advice = capabilities.remedy === undefined ? 'Set' : `${capabilities.remedy} Or set`;
    return [`storage: the store of ${name}: ${problem}. ${advice} storage.${name} to another store.`];
  });
  if (problems.length > 0) throw new ConfigError(problems);
};
