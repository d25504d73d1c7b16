import type { RecordKey } from '@carnet/adapter-contract';

/** A record in a message to the operator: its key, and nothing that it stores. As JSON, because an id may have any character. */
export const nameOf = ({ kind, id, grantId }: RecordKey): string => `record ${JSON.stringify({ kind, id, grantId })}`;
