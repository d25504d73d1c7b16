import type { StoredRecord } from '@carnet/adapter-contract';
import { type Effect, type Folded, inOrder } from '@carnet/adapter-contract/sql';
import type { NewRow } from './record.ts';
import type { Batch } from './run-on.ts';
import { changeStatement, insertStatement, removeStatement, requireStatement, revokeStatements } from './statements.ts';

type EffectOf<B extends Effect['becomes']> = Extract<Effect, { becomes: B }>;

/** A record that a commit claims and removes again: an expired one, so that the claim is checked. */
const toRemoved = ({ kind, id, grantId }: Effect['key']): StoredRecord => ({
  kind,
  id,
  ...(grantId !== undefined && { grantId }),
  payload: '{}',
  expiresAt: new Date(0),
});

const toRow = (effect: EffectOf<'gone' | 'replaced'>): NewRow => {
  const isClaim = effect.requires === 'absent';
  if (effect.becomes === 'gone') {
    const record = toRemoved(effect.key);
    return { record, isClaim, expiresAt: record.expiresAt, consumedAt: undefined, members: [] };
  }
  const { record, change } = effect;
  const expiresAt = change.expiresAt ?? record.expiresAt;
  return { record, isClaim, expiresAt, consumedAt: change.consumedAt, members: change.members };
};

const hasToBeThere = ({ requires }: Effect): boolean => requires === 'live' || requires === 'usable';

const isInserted = (effect: Effect): effect is EffectOf<'gone' | 'replaced'> =>
  effect.becomes === 'replaced' || (effect.becomes === 'gone' && effect.requires === 'absent');

/** The statements of a commit. The first ones check and lock what has to be there; each that follows may fail, too. */
export const prepareCommit = (folded: Folded, now: number): Batch => {
  const effects = inOrder(folded.effects);
  const required = effects.filter(hasToBeThere);
  const changed = effects.filter((effect) => effect.becomes === 'changed');
  const inserted = effects.filter(isInserted);
  const removed = effects.filter((effect) => effect.becomes === 'gone' && !isInserted(effect));
  return {
    isTransaction: true,
    statements: [
      ...(required.length > 0 ? [requireStatement(required, now)] : []),
      ...changed.map(changeStatement),
      ...(inserted.length > 0 ? [insertStatement(inserted.map(toRow), now)] : []),
      ...(folded.grantIds.length > 0 ? revokeStatements(folded) : []),
      ...(removed.length > 0 ? [removeStatement(removed.map(({ key }) => key))] : []),
    ],
  };
};
