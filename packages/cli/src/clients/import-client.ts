import { adminOptions, connectAdmin } from '../admin-api.ts';
import { type Command, exitCodes } from '../command.ts';
import { explain } from '../explain.ts';
import { readSources } from '../json-sources.ts';
import { assertFormat } from '../output.ts';
import { importable } from './importable.ts';
import { type Client, showClients } from './show-clients.ts';

export const importClient: Command = {
  name: 'import client',
  aliases: ['import oauth2-client', 'import clients', 'import oauth2-clients'],
  summary: 'Register clients from JSON files or standard input. Hashes are accepted as secrets.',
  options: {
    lenient: {
      type: 'boolean',
      summary: 'Leave out members that the server refuses, print a note for each, and import the rest of the client.',
    },
    ...adminOptions,
  },
  operands: '[file.json ...]',
  examples: [
    'carnet import client clients.json',
    'carnet import client --lenient clients.json',
    'carnet import client --format json < clients.json',
  ],
  run: async (values, surface, operands) => {
    assertFormat(values);
    const exported = await readSources(operands, surface);
    const api = connectAdmin(values, surface);
    const imported: Client[] = [];
    for (const one of exported) {
      const name = String(one.client_id ?? 'a client without an id');
      const { client, notes } = importable(one, { lenient: values.lenient === true });
      try {
        imported.push((await api.call('POST', '/clients', { json: client })).body as Client);
        for (const note of notes) surface.err(`note: ${name}: ${note}`);
      } catch (error) {
        surface.err(`carnet: ${name}: ${explain(error)}`);
      }
    }
    if (imported.length > 0) await showClients(values, surface, { clients: imported });
    return imported.length === exported.length ? exitCodes.ok : exitCodes.failed;
  },
};
