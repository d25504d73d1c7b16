import type { FoundRecord, Write } from '@carnet/adapter-contract';

/** The writes that make a record as it was found. `claim`: if there is one, they are a conflict and change nothing. */
export const writesOf = ({ consumedAt, members, ...record }: FoundRecord, type: 'claim' | 'put'): readonly Write[] => [
  { type, record },
  ...(members.length > 0 ? [{ type: 'merge', key: record, members } as const] : []),
  ...(consumedAt ? [{ type: 'consume', key: record, at: consumedAt } as const] : []),
];
