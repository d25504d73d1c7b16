import { adminOptions, connectAdmin, pageTokenIn } from '../admin-api.ts';
import { type Command, onlyOperand, someOperands, text, UsageError } from '../command.ts';
import { show, shownIds } from '../output.ts';
import { clientFromOptions, clientOptions } from './client-flags.ts';
import { type Client, showClients } from './show-clients.ts';

const idOption = { id: { type: 'string', value: 'id', summary: 'Its client_id. Default: generated.' } } as const;
const path = (id: string): string => `/clients/${encodeURIComponent(id)}`;

const createDefaults = { grant_types: ['authorization_code'], response_types: ['code'] };

const createClient: Command = {
  name: 'create client',
  aliases: ['create oauth2-client'],
  summary: 'Register a client. A generated secret is shown only once.',
  options: { ...idOption, ...clientOptions, ...adminOptions },
  examples: [
    'carnet create client --id shop --name "The shop" --grant-type authorization_code,refresh_token --scope openid,offline_access --redirect-uri http://127.0.0.1:4446/callback',
    'carnet create client --id machine --grant-type client_credentials --scope read,write --format json',
    'carnet create client --id app --token-endpoint-auth-method none --redirect-uri http://127.0.0.1:4446/callback',
  ],
  run: async (values, surface) => {
    const id = text(values, 'id');
    const json = { ...createDefaults, ...clientFromOptions(values), ...(id !== undefined && { client_id: id }) };
    const { body } = await connectAdmin(values, surface).call('POST', '/clients', { json });
    await showClients(values, surface, { clients: [body as Client] });
  },
};

const getClient: Command = {
  name: 'get client',
  aliases: ['get oauth2-client'],
  summary: 'Show clients, without their secrets.',
  options: adminOptions,
  operands: '<id> [<id> ...]',
  examples: ['carnet get client shop', 'carnet get client shop machine --format yaml'],
  run: async (values, surface, operands) => {
    const api = connectAdmin(values, surface);
    const clients: Client[] = [];
    for (const id of someOperands(operands, 'client id'))
      clients.push((await api.call('GET', path(id))).body as Client);
    await showClients(values, surface, { clients });
  },
};

const listClients: Command = {
  name: 'list clients',
  aliases: ['list oauth2-clients', 'list client'],
  summary: 'List clients, a page at a time.',
  options: {
    'page-size': { type: 'string', value: 'number', summary: 'Clients on a page, up to 500. Default 100.' },
    'page-token': { type: 'string', value: 'token', summary: 'The token of the next page.' },
    all: { type: 'boolean', summary: 'List all pages.' },
    owner: { type: 'string', value: 'owner', summary: 'Only clients of this owner.' },
    name: { type: 'string', value: 'name', summary: 'Only clients of this name.' },
    ...adminOptions,
  },
  examples: ['carnet list clients', 'carnet list clients --all --format json > clients.json'],
  run: async (values, surface) => {
    const api = connectAdmin(values, surface);
    const clients: Client[] = [];
    let token = text(values, 'page-token');
    do {
      const query = {
        page_size: text(values, 'page-size'),
        page_token: token || undefined,
        owner: text(values, 'owner'),
        client_name: text(values, 'name'),
      };
      const { body, headers } = await api.call('GET', '/clients', { query });
      clients.push(...(body as Client[]));
      token = pageTokenIn(headers.get('link'));
    } while (values.all === true && token !== '');
    const next = { next_page_token: token, is_last_page: token === '' };
    const notes = ['', `NEXT PAGE TOKEN  ${token}`, `IS LAST PAGE     ${token === ''}`];
    await showClients(values, surface, { clients, body: { items: clients, ...next }, isList: true, notes });
  },
};

/** `add` sets a member whether it exists or not (RFC 6902 section 4.1). */
const patchOf = (members: Client): readonly object[] =>
  Object.entries(members).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));

const updateClient: Command = {
  name: 'update client',
  aliases: ['update oauth2-client'],
  summary: 'Change the members of a client that the options name, and no others.',
  options: {
    ...clientOptions,
    replace: { type: 'boolean', summary: 'Set all other members to their defaults, as Hydra does. The secret stays.' },
    ...adminOptions,
  },
  operands: '<id>',
  examples: [
    'carnet update client shop --name "Another shop"',
    'carnet update client machine --replace --grant-type client_credentials --scope read',
  ],
  run: async (values, surface, operands) => {
    const id = onlyOperand(operands, 'client id');
    const members = clientFromOptions(values);
    if (Object.keys(members).length === 0)
      throw new UsageError('Name at least one member to change: carnet help update client.');
    const api = connectAdmin(values, surface);
    const { body } =
      values.replace === true
        ? await api.call('PUT', path(id), { json: { ...createDefaults, ...members } })
        : await api.call('PATCH', path(id), { json: patchOf(members) });
    await showClients(values, surface, { clients: [body as Client] });
  },
};

const deleteClient: Command = {
  name: 'delete client',
  aliases: ['delete oauth2-client'],
  summary: 'Delete clients and all their tokens and consents.',
  options: adminOptions,
  operands: '<id> [<id> ...]',
  examples: ['carnet delete client app', 'carnet delete client shop machine'],
  run: async (values, surface, operands) => {
    const api = connectAdmin(values, surface);
    const deleted: string[] = [];
    for (const id of someOperands(operands, 'client id')) {
      await api.call('DELETE', path(id));
      deleted.push(id);
    }
    await show(values, surface, shownIds(deleted));
  },
};

export const clientCommands = [createClient, getClient, listClients, updateClient, deleteClient] as const;
