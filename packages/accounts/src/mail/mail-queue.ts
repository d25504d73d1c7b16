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

/** The most mails of one queue that wait for a connection, and the most that wait for another attempt. */
const mostWaiting = 1_000;
/** The connections of one queue. */
const concurrency = 2;

const isPermanent = (error: unknown): boolean => !(error instanceof MailError) || error.isPermanent;

/** A code expires while its user waits. Invitations come by the thousand, and may wait. */
const queueOf = (kind: MailKind): 'codes' | 'invitations' | 'others' => {
  if (kind === 'signInCode' || kind === 'emailSignInCode') return 'codes';
  return kind === 'invitation' ? 'invitations' : 'others';
};

interface Attempt {
  readonly mail: Mail;
  /** The attempts that have failed. */
  readonly failed: number;
}

interface SendingOptions extends Required<MailQueueOptions> {
  readonly mailer: Pick<Mailer, 'send'>;
  readonly closing: AbortSignal;
}

/**
 * One queue: its mails are sent in their order.
 *
 * Safe against an attacker who requests mails to addresses that the server refuses for now, because a mail that waits for another
 * attempt keeps no connection, and no place of one that has not been tried.
 */
const createSending = ({ mailer, onError, pausesMs, closing }: SendingOptions) => {
  const waiting: Attempt[] = [];
  const tasks = new Set<Promise<void>>();
  let working = 0;
  let pausing = 0;
  const begin = (work: Promise<void>): void => {
    const task = work.finally(() => tasks.delete(task));
    tasks.add(task);
  };

  const repeat = async ({ mail, failed }: Attempt, waitMs: number): Promise<void> => {
    pausing += 1;
    await pause(waitMs, undefined, { signal: closing }).catch(() => {});
    pausing -= 1;
    push({ mail, failed: failed + 1 });
  };
  const send = async (attempt: Attempt): Promise<void> => {
    try {
      await mailer.send(attempt.mail);
    } catch (error) {
      const waitMs = pausesMs[attempt.failed];
      const isOver = waitMs === undefined || closing.aborted || isPermanent(error) || pausing >= mostWaiting;
      if (isOver) onError(error, attempt.mail.kind);
      else begin(repeat(attempt, waitMs));
    }
  };
  const work = async (): Promise<void> => {
    working += 1;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await send(next);
    working -= 1;
  };
  const push = (attempt: Attempt): void => {
    waiting.push(attempt);
    if (working < concurrency) begin(work());
  };
  return {
    add: (mail: Mail): void => {
      if (waiting.length < mostWaiting) push({ mail, failed: 0 });
      else onError(new MailError(`More than ${mostWaiting} mails are waiting.`), mail.kind);
    },
    finish: async (): Promise<void> => {
      while (tasks.size > 0) await Promise.all(tasks);
    },
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
  const options = { mailer, onError, pausesMs, closing: closing.signal };
  const queues = {
    codes: createSending(options),
    invitations: createSending(options),
    others: createSending(options),
  };
  return {
    add: (mail) => queues[queueOf(mail.kind)].add(mail),
    async close() {
      closing.abort();
      await Promise.all(Object.values(queues).map(({ finish }) => finish()));
    },
  };
};
