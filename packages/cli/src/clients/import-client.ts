import { problemOfFormat, registerExported } from '@carnet/adapter-contract/client-import';
import { clientBody, fieldMessage } from '@carnet/provider/clients';
import { adminOptions, connectAdmin } from '../admin-api.ts';
import { type Command, exitCodes } from '../command.ts';
import { explain } from '../explain.ts';
import { readSources } from '../json-sources.ts';
import { type Client, showClients } from './show-clients.ts';

/** The description of the error of the admin API, if it is one of the metadata. */
const refusalIn = (error: unknown): string | undefined =>
  error instanceof Error ? /: invalid_(?:client_metadata|redirect_uri): (.+)$/s.exec(error.message)?.[1] : undefined;

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
    const exported = await readSources(operands, surface);
    const api = connectAdmin(values, surface);
    const imported: Client[] = [];
    const options = {
      ...{ lenient: values.lenient === true, schema: clientBody, message: fieldMessage, refusalIn },
      create: async (json: object) => (await api.call('POST', '/clients', { json })).body as Client,
    };
    for (const one of exported) {
      const name = String(one.client_id ?? 'a client without an id');
      try {
        const problem = problemOfFormat(one, clientBody);
        if (problem !== undefined) throw new Error(problem);
        const { client, notes } = await registerExported(one, options);
        imported.push(client);
        for (const note of notes) surface.err(`note: ${name}: ${note}`);
      } catch (error) {
        surface.err(`carnet: ${name}: ${explain(error)}`);
      }
    }
    if (imported.length > 0) await showClients(values, surface, { clients: imported });
    return imported.length === exported.length ? exitCodes.ok : exitCodes.failed;
  },
};
