import { type AdminApi, adminOptions, connectAdmin } from '../admin-api.ts';
import { type Command, exitCodes } from '../command.ts';
import { explain } from '../explain.ts';
import { readSources } from '../json-sources.ts';
import { afterRefusal } from './after-refusal.ts';
import { type Importable, importable } from './importable.ts';
import { type Client, showClients } from './show-clients.ts';

/** Registers a client. If `lenient`, repeats this without the refused members until the server accepts the client. */
const register = async (
  api: AdminApi,
  { client, notes }: Importable,
  options: { readonly lenient: boolean },
): Promise<{ client: Client; notes: readonly string[] }> => {
  try {
    return { client: (await api.call('POST', '/clients', { json: client })).body as Client, notes };
  } catch (error) {
    const smaller = options.lenient && error instanceof Error ? afterRefusal(client, error.message) : undefined;
    if (!smaller) throw error;
    // Each attempt has fewer members.
    return register(api, { client: smaller.client, notes: [...notes, ...smaller.notes] }, options);
  }
};

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
    for (const one of exported) {
      const name = String(one.client_id ?? 'a client without an id');
      const lenient = values.lenient === true;
      try {
        const { client, notes } = await register(api, importable(one, { lenient }), { lenient });
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
