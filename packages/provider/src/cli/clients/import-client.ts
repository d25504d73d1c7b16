import { readFileSync } from 'node:fs';
import { adminOptions, connectAdmin } from '../admin-api.ts';
import { type Command, exitCodes, type Surface } from '../command.ts';
import { explain } from '../explain.ts';
import { assertFormat } from '../output.ts';
import { type Client, showClients } from './show-clients.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One client, a list of them, or a page as `list clients --format json` prints it. */
const clientsIn = (content: string, source: string): readonly Client[] => {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new Error(`${source} is not valid JSON.`);
  }
  const items = isRecord(value) && Array.isArray(value.items) ? value.items : [value].flat();
  if (!items.every(isRecord)) throw new Error(`${source} must hold clients: an object, or a list of objects.`);
  return items;
};

/** Of a database that is moved only hashes of the secrets are there: said so, they are kept as they are. */
const hashPattern = /^\$(?:pbkdf2-|2[aby]\$)/;

const toSend = ({ client_secret: secret, ...client }: Client): Client => {
  if (typeof secret !== 'string' || secret === '') return client;
  return hashPattern.test(secret) ? { ...client, client_secret_hash: secret } : { ...client, client_secret: secret };
};

const readSources = async (files: readonly string[], surface: Surface): Promise<readonly Client[]> => {
  if (files.length === 0) return clientsIn((await surface.in?.()) || '[]', 'The standard input');
  return files.flatMap((file) => {
    try {
      return clientsIn(readFileSync(file, 'utf8'), file);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new Error(code === undefined ? message : `${file} can't be read (${code}).`);
    }
  });
};

export const importClient: Command = {
  name: 'import client',
  aliases: ['import oauth2-client', 'import clients', 'import oauth2-clients'],
  summary: 'Register the clients of JSON files, or of the standard input. Hashes count as secrets.',
  options: adminOptions,
  operands: '[file.json ...]',
  examples: ['carnet import client clients.json', 'carnet import client --format json < clients.json'],
  run: async (values, surface, operands) => {
    assertFormat(values);
    const sent = await readSources(operands, surface);
    const api = connectAdmin(values, surface);
    const imported: Client[] = [];
    let failures = 0;
    for (const client of sent) {
      try {
        imported.push((await api.call('POST', '/clients', { json: toSend(client) })).body as Client);
      } catch (error) {
        failures += 1;
        surface.err(`carnet: ${String(client.client_id ?? 'a client without an id')}: ${explain(error)}`);
      }
    }
    if (imported.length > 0) await showClients(values, surface, { clients: imported });
    return failures === 0 ? exitCodes.ok : exitCodes.failed;
  },
};
