import { setTimeout as pause } from 'node:timers/promises';
import type { Mail } from './mail.ts';
import { MailError, type Mailer } from './mailer.ts';
import type { MailKind } from './texts/mail-texts.ts';

export interface MailQueueOptions {
  /** Called for each mail that was not sent. */
  readonly onError: (error: unknown, kind: Mail['kind']) => void;
  /** The pauses between the attempts to send a mail, in milliseconds. Default: 1, 5 and 30 seconds. */
  readonly pausesMs?: readonly number[];
}

/** Sends mails in the background, so that the duration of an answer does not reveal whether a mail is sent. */
export interface MailQueue {
  /** Returns at once. */
  add(mail: Mail): void;
  /** Resolves when all mails were sent or given up; mails that wait for another attempt are given up. */
  close(): Promise<void>;
}

const mostWaiting = 1_000;
/** The connections of one queue. */
const concurrency = 2;

const isPermanent = (error: unknown): boolean => !(error instanceof MailError) || error.isPermanent;

/** A code expires while its user waits. Invitations come by the thousand, and may wait. */
const queueOf = (kind: MailKind): 'codes' | 'invitations' | 'others' => {
  if (kind === 'signInCode' || kind === 'emailSignInCode') return 'codes';
  return kind === 'invitation' ? 'invitations' : 'others';
};

/** One queue: its mails are sent in their order. */
const createSending = (send: (mail: Mail) => Promise<void>, onFull: (mail: Mail) => void) => {
  const waiting: Mail[] = [];
  const workers = new Set<Promise<void>>();
  const work = async (): Promise<void> => {
    for (let mail = waiting.shift(); mail !== undefined; mail = waiting.shift()) await send(mail);
  };
  return {
    add: (mail: Mail): void => {
      if (waiting.length >= mostWaiting) {
        onFull(mail);
        return;
      }
      waiting.push(mail);
      if (workers.size >= concurrency) return;
      const worker = work().finally(() => workers.delete(worker));
      workers.add(worker);
    },
    finish: () => Promise.all(workers),
  };
};

/**
 * Mails wait in the memory of this process: if it ends, they are lost, and the user must request another one. Each kind of mail has its own
 * places and connections: invitations, or notices that a slow server does not take, delay no code.
 */
export const createMailQueue = (
  mailer: Pick<Mailer, 'send'>,
  { onError, pausesMs = [1_000, 5_000, 30_000] }: MailQueueOptions,
): MailQueue => {
  const closing = new AbortController();

  const send = async (mail: Mail): Promise<void> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await mailer.send(mail);
      } catch (error) {
        const wait = pausesMs[attempt];
        if (wait === undefined || closing.signal.aborted || isPermanent(error)) return onError(error, mail.kind);
        await pause(wait, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  };
  const onFull = ({ kind }: Mail): void => onError(new MailError(`More than ${mostWaiting} mails are waiting.`), kind);
  const queues = {
    codes: createSending(send, onFull),
    invitations: createSending(send, onFull),
    others: createSending(send, onFull),
  };
  return {
    add: (mail) => queues[queueOf(mail.kind)].add(mail),
    async close() {
      closing.abort();
      await Promise.all(Object.values(queues).map(({ finish }) => finish()));
    },
  };
};
