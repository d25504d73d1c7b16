import { type ReadPin, refusedPins } from './pin.ts';
import { JobError, type SessionThread, toSignerError } from './session-thread.ts';
import type { JobName, Jobs, ThreadSettings } from './thread/job.ts';

export interface Login {
  readonly settings: ThreadSettings;
  readonly readPin: ReadPin;
}

/**
 * One login at a time in the whole process: modules are initialized once, and a wrong PIN is sent once even if many sessions
 * are waiting for a login.
 */
let logins: Promise<unknown> = Promise.resolve();

const logIn = (thread: SessionThread, { settings, readPin }: Login): Promise<void> => {
  const attempt = async () => {
    const name = JSON.stringify([settings.modulePath, settings.token]);
    const pin = readPin();
    refusedPins.assertNotRefused(name, pin);
    try {
      await thread.run('connect', { pin });
    } catch (error) {
      if (error instanceof JobError && error.kind === 'pin') refusedPins.add(name, pin);
      throw error;
    }
  };
  const done = logins.then(attempt);
  logins = done.catch(() => undefined);
  return done;
};

/** Runs the job, and once more in a new session if the session ended. */
export const runJob = async <Name extends JobName>(
  thread: SessionThread,
  { job, input }: { readonly job: Name; readonly input: Jobs[Name]['input'] },
  login: Login,
): Promise<Jobs[Name]['result']> => {
  try {
    try {
      return await thread.run(job, input);
    } catch (error) {
      if (!(error instanceof JobError && error.kind === 'session')) throw error;
      await logIn(thread, login);
      return await thread.run(job, input);
    }
  } catch (error) {
    throw toSignerError(error);
  }
};
