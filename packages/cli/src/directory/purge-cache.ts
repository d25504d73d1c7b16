import { adminOptions, connectAdmin } from '../admin-api.ts';
import { type Command, text } from '../command.ts';
import { show } from '../output.ts';

export const directoryPurge: Command = {
  name: 'directory purge',
  summary:
    'Remove users from the user cache of a running server: those of a directory, those with a login name, or all.',
  options: {
    directory: { type: 'string', value: 'name', summary: 'Only users of this directory.' },
    login: { type: 'string', value: 'login', summary: 'Only users with this login name.' },
    ...adminOptions,
  },
  examples: ['carnet directory purge', 'carnet directory purge --directory staff --login ada'],
  run: async (values, surface) => {
    const [directory, login] = [text(values, 'directory'), text(values, 'login')];
    const json = { ...(directory !== undefined && { directory }), ...(login !== undefined && { login }) };
    const { body } = await connectAdmin(values, surface).call('POST', '/accounts/directories/purge', { json });
    const { removed } = body as { readonly removed: number };
    await show(values, surface, { body, headers: ['REMOVED'], rows: [[String(removed)]], ids: [] });
  },
};
