import { DirectoryError } from '../directory-error.ts';
import type { Directory } from '../port.ts';
import type { Mutant } from './mutant.ts';

const failWith = (error: (cause: unknown) => unknown) => (cause: unknown) => {
  throw error(cause);
};

/** Once it has failed, it fails for ever. */
const neverRecovering = (directory: Directory): Partial<Directory> => {
  let failure: unknown;
  return {
    find: async (login) => {
      if (failure !== undefined) throw failure;
      return directory.find(login).catch((error: unknown) => {
        failure = error;
        throw error;
      });
    },
  };
};

export const outageMutants: readonly Mutant[] = [
  {
    name: 'takes-an-outage-for-an-unknown-user',
    breaks: 'outage-is-no-unknown-user',
    wrap: (directory) => ({ find: (login) => directory.find(login).catch(() => undefined) }),
  },
  {
    name: 'takes-an-outage-for-a-deleted-user',
    breaks: 'outage-is-no-unknown-user',
    wrap: (directory) => ({ load: (id) => directory.load(id).catch(() => undefined) }),
  },
  {
    name: 'lets-errors-of-drivers-through',
    breaks: 'outage-is-no-unknown-user',
    wrap: (directory) => ({
      find: (login) => directory.find(login).catch(failWith((cause) => new Error('ECONNREFUSED', { cause }))),
    }),
  },
  {
    name: 'takes-an-outage-for-a-wrong-password',
    breaks: 'outage-is-no-wrong-password',
    wrap: (directory) => ({
      verify: (user, password) =>
        directory.verify(user, password).catch(() => ({ accepted: false, reason: 'wrong_password' }) as const),
    }),
  },
  {
    name: 'shows-the-password-in-errors',
    breaks: 'outage-is-no-wrong-password',
    wrap: (directory) => ({
      verify: (user, password) =>
        directory
          .verify(user, password)
          .catch(failWith(() => new DirectoryError('unavailable', directory.name, `bind with ${password} failed`))),
    }),
  },
  { name: 'never-recovers', breaks: 'outage-ends-without-a-restart', wrap: neverRecovering },
  {
    name: 'throws-when-checked',
    breaks: 'check-reports-an-outage',
    wrap: (directory) => ({
      check: async () => {
        const steps = await directory.check();
        if (steps.some(({ ok }) => !ok)) throw new Error('the check failed');
        return steps;
      },
    }),
  },
  {
    name: 'is-always-healthy',
    breaks: 'check-reports-an-outage',
    wrap: (directory) => ({ check: async () => (await directory.check()).map((step) => ({ ...step, ok: true })) }),
  },
];
