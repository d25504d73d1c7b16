import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import type { Deliveries } from './deliveries.ts';
import { endSession } from './end-session.ts';
import { isLiveSession, sessionKey } from './session-record.ts';

export interface SessionRevocation {
  /** Ends a session; nothing to do when there is none. */
  bySid(sid: string): Promise<void>;
  /** Ends the sessions that a person has in any browser by now. */
  bySubject(subject: string): Promise<void>;
}

export interface RevocationDependencies {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit' | 'list'>;
  readonly deliveries: Pick<Deliveries, 'announce'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const pageSize = 100;

/** Ends sessions from outside of their browsers. Their clients are told as after any logout, by the back channel. */
export const createSessionRevocation = ({ adapter, deliveries, now }: RevocationDependencies): SessionRevocation => {
  const end = async (record: FoundRecord | undefined): Promise<void> => {
    if (!isLiveSession(record)) return;
    const { ended, writes } = endSession(record, now());
    // A conflict: it has ended in between, and whoever ended it sees to its clients.
    if ((await adapter.commit(writes)) === undefined) deliveries.announce(ended);
  };

  return {
    bySid: async (sid) => end((await adapter.read([sessionKey(sid)]))[0]),
    async bySubject(subject) {
      let after: string | undefined;
      do {
        const page = await adapter.list({ kind: 'session', subject, limit: pageSize, after });
        for (const record of page.records) await end(record);
        after = page.next;
      } while (after !== undefined);
    },
  };
};
