import type { Session } from './session.ts';

/** The end of a session, for a stream that lasts longer than its request. */
export interface Watch {
  /** Aborted when the session has ended. */
  readonly ended: AbortSignal;
  /** Called when the stream has ended. */
  stop(): void;
}

/** Another process may have ended the session: so often it is checked while streams are open, however many they are. */
const intervalMs = 3_000;

interface Watched {
  readonly session: Session;
  readonly ending: AbortController;
  readonly timer: NodeJS.Timeout;
  streams: number;
}

/**
 * Watches the sessions that have streams open.
 *
 * @param isOpen throws if the store does not answer: the stream stays open, which gets nothing from the store then
 */
export const createSessionWatch = (isOpen: (session: Session) => Promise<boolean>) => {
  /** By the access token of the session. */
  const all = new Map<string, Watched>();

  const end = (token: string): void => {
    const watched = all.get(token);
    if (watched === undefined) return;
    clearInterval(watched.timer);
    all.delete(token);
    watched.ending.abort();
  };

  const check = async ({ session }: Pick<Watched, 'session'>): Promise<void> => {
    if (!(await isOpen(session).catch(() => true))) end(session.token);
  };

  const open = (session: Session): Watched => {
    const timer = setInterval(() => void check({ session }), intervalMs).unref();
    const opened = { session, ending: new AbortController(), timer, streams: 0 };
    all.set(session.token, opened);
    return opened;
  };

  return {
    /** Ends the streams of a session at once. */
    end,
    /** Checks all sessions now: an operator may have ended some of them. */
    async checkAll(): Promise<void> {
      await Promise.all([...all.values()].map(check));
    },
    watch(session: Session): Watch {
      const watched = all.get(session.token) ?? open(session);
      watched.streams += 1;
      return {
        ended: watched.ending.signal,
        stop() {
          watched.streams -= 1;
          if (watched.streams > 0 || all.get(session.token) !== watched) return;
          clearInterval(watched.timer);
          all.delete(session.token);
        },
      };
    },
  };
};
