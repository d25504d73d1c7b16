import type { StoredRecord } from '@carnet/adapter-contract';
import { type Effect, type Folded, inOrder, nameOfRecord } from '@carnet/adapter-contract/sql';
import { keyColumns, toArrayText, toTimestamp } from './record.ts';
import type { Prepared } from './run-on.ts';
import { commitStatements, type SectionName, type Statement } from './statements.ts';

type EffectOf<B extends Effect['becomes']> = Extract<Effect, { becomes: B }>;

/**
 * A record that is removed on a condition becomes an expired one, so that one section checks the conditions of all
 * records.
 */
const toReplacement = ({ key, requires }: EffectOf<'gone'>): EffectOf<'replaced'> => {
  const { kind, id, grantId } = key;
  const record: StoredRecord = { kind, id, grantId, payload: '{}', expiresAt: new Date(0) };
  return { key, requires, becomes: 'replaced', record, change: { members: [] } };
};

const isRemoval = ({ becomes, requires }: Effect): boolean => becomes === 'gone' && requires === 'nothing';

const toReplacements = (effect: Effect): readonly EffectOf<'replaced'>[] => {
  if (effect.becomes === 'changed' || isRemoval(effect)) return [];
  return [effect.becomes === 'gone' ? toReplacement(effect) : effect];
};

const membersOf = ({ change }: EffectOf<'changed' | 'replaced'>): string | null =>
  change.members.length === 0 ? null : toArrayText(new Set(change.members));

const toTimestampOrNull = (date: Date | null | undefined): string | null => (date ? toTimestamp(date) : null);

const updatedValues = (effects: readonly EffectOf<'changed'>[]): readonly unknown[] => [
  ...keyColumns(effects.map(({ key }) => key)),
  effects.map(({ change }) => toTimestampOrNull(change.consumedAt)),
  effects.map(membersOf),
  effects.map(({ change }) => toTimestampOrNull(change.expiresAt)),
];

const recordValues = (effects: readonly EffectOf<'replaced'>[]): readonly unknown[] => [
  ...keyColumns(effects.map(({ key }) => key)),
  effects.map(({ record }) => record.grantId),
  effects.map(({ record }) => record.subject),
  effects.map(({ record }) => record.clientId),
  effects.map(({ record }) => record.payload),
  effects.map(membersOf),
  effects.map(({ record, change }) => toTimestampOrNull(change.expiresAt ?? record.expiresAt)),
  effects.map(({ change }) => toTimestampOrNull(change.consumedAt)),
];

const sectionsOf = (folded: Folded) => {
  const effects = inOrder(folded.effects);
  const replacements = effects.flatMap(toReplacements);
  const hasToBeThere = ({ requires }: Effect) => requires === 'live' || requires === 'usable';
  return {
    updated: effects.filter((effect) => effect.becomes === 'changed'),
    replaced: replacements.filter(hasToBeThere),
    inserted: replacements.filter((effect) => !hasToBeThere(effect)),
    removed: effects.filter(isRemoval),
  };
};

const keptOf = ({ effects, grantIds }: Folded): readonly string[] =>
  effects
    .filter(({ key }) => key.grantId !== undefined && grantIds.includes(key.grantId))
    .map(({ key }) => nameOfRecord(key));

/** The one statement that a commit is. */
export const prepareCommit = (folded: Folded, now: number): Prepared => {
  const { updated, replaced, inserted, removed } = sectionsOf(folded);
  const parts = [
    ['updated', updated, () => updatedValues(updated)],
    ['replaced', replaced, () => [...recordValues(replaced), replaced.map(({ requires }) => requires === 'live')]],
    [
      'inserted',
      inserted,
      () => [
        ...recordValues(inserted),
        inserted.filter(({ requires }) => requires === 'absent').map(({ key }) => nameOfRecord(key)),
      ],
    ],
    ['revoked', folded.grantIds, () => [folded.grantIds, keptOf(folded)]],
    ['removed', removed, () => keyColumns(removed.map(({ key }) => key))],
  ] satisfies [SectionName, readonly unknown[], () => readonly unknown[]][];
  const present = parts.filter(([, rows]) => rows.length > 0);
  const statement = commitStatements.get(present.map(([name]) => name).join()) as Statement;
  const conditions = updated.length + replaced.length + inserted.length;
  return { ...statement, values: [toTimestamp(new Date(now)), conditions, ...present.flatMap(([, , of]) => of())] };
};
