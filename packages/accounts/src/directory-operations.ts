import type { Accounts } from './api/accounts.ts';
import type { Directories } from './directory/index.ts';

/** Health and cache of the directories, for administrators. */
export const createDirectoryOperations = (
  directories: Pick<Directories, 'check' | 'purge'>,
): Pick<Accounts['directories'], 'check' | 'purge'> => ({
  check: async () => {
    const checked = await directories.check();
    return { directories: checked.map(({ directory, steps }) => ({ directory, steps: [...steps] })) };
  },
  purge: async ({ directory, login } = {}) => ({
    removed: await directories.purge({
      ...(directory !== undefined && { directory }),
      ...(login !== undefined && { login }),
    }),
  }),
});
