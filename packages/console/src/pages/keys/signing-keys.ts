import { CarnetError } from '@carnet/provider';
import type { PageContext } from '../../page/route.ts';
import type { SigningKeyState, SigningKeys } from '../../server/console-server.ts';

/** The set that signs tokens, by the name that Hydra gave it. */
export const signingSet = 'hydra.openid.id-token';

/** The keys of a set. An unknown set has none. */
export const listSet = async ({ server }: Pick<PageContext, 'server'>, set: string) => {
  try {
    return await server.keys.list(set);
  } catch (error) {
    if (error instanceof CarnetError && error.code === 'not_found') return [];
    throw error;
  }
};

export type KnownSigningKeys = Pick<SigningKeys, 'keys' | 'schedule'> & { readonly source?: SigningKeys['source'] };

/** The signing keys. Without their states: of the published keys, the first of an algorithm signs. */
export const readSigningKeys = async (context: Pick<PageContext, 'server'>): Promise<KnownSigningKeys> => {
  const { signingKeys } = context.server;
  if (signingKeys !== undefined) return signingKeys();
  const keys = await listSet(context, signingSet);
  const isFirst = (alg: string, place: number): boolean => keys.findIndex((key) => key.alg === alg) === place;
  return {
    keys: keys.map(({ kid, alg }, place) => ({ kid, alg, state: isFirst(alg, place) ? 'active' : 'published' })),
  };
};

/** A name for the present keys: a form that was loaded before a change, or is sent twice, has another one. */
export const versionOf = ({ keys }: Pick<SigningKeys, 'keys'>): string =>
  keys
    .map(({ kid }) => kid)
    .toSorted()
    .join(' ');

const dayMs = 86_400_000;
/** A key that has signed for longer deserves a warning, whatever the schedule says. */
const oldMs = 365 * dayMs;

/** Why a key needs attention. `overdue`: its schedule has ended, and no successor is published. */
export const warningOf = (
  { state, activeAt, until }: SigningKeyState,
  { schedule }: Pick<SigningKeys, 'schedule'>,
  now: number,
): 'old' | 'overdue' | undefined => {
  if (state !== 'active' || activeAt === undefined) return undefined;
  const ageMs = now - activeAt.getTime();
  if (schedule !== undefined && until === undefined && ageMs > schedule.active * 1_000 + dayMs) return 'overdue';
  return ageMs > oldMs ? 'old' : undefined;
};
