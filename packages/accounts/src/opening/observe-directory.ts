import type { AccountsEvent } from '../dependencies.ts';
import type { Directory } from '../directory/index.ts';
import { override } from '../directory/override.ts';

/** Reports the duration of every call of a directory. The report is not awaited. */
export const observeDirectory = (directory: Directory, emit: (event: AccountsEvent) => Promise<void>): Directory => {
  const observe = async <T>(step: string, call: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const report = (failed: boolean) =>
      void emit({ type: 'directory', directory: directory.name, step, durationMs: performance.now() - began, failed });
    try {
      const result = await call();
      report(false);
      return result;
    } catch (error) {
      report(true);
      throw error;
    }
  };
  const { authenticate, changePassword } = directory;
  return override(directory, {
    find: (login) => observe('find', () => directory.find(login)),
    load: (id) => observe('load', () => directory.load(id)),
    verify: (user, password) => observe('verify', () => directory.verify(user, password)),
    verifyUnknown: (...input) => observe('verify', () => directory.verifyUnknown(...input)),
    ...(authenticate && {
      authenticate: (...input) => observe('authenticate', () => authenticate.call(directory, ...input)),
    }),
    ...(changePassword && {
      changePassword: (...input) => observe('change_password', () => changePassword.call(directory, ...input)),
    }),
  });
};
