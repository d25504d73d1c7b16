import type { Surface, Values } from '../command.ts';
import { show } from '../output.ts';

export type Client = Readonly<Record<string, unknown>>;

const words = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value ?? ''));

/** The columns that Hydra shows, in its order. */
const columns: Readonly<Record<string, string>> = {
  'CLIENT ID': 'client_id',
  'CLIENT SECRET': 'client_secret',
  'GRANT TYPES': 'grant_types',
  'RESPONSE TYPES': 'response_types',
  SCOPE: 'scope',
  AUDIENCE: 'audience',
  'REDIRECT URIS': 'redirect_uris',
};

export interface ClientsToShow {
  readonly clients: readonly Client[];
  /** As JSON and YAML; default: the client, or all of them when there are several. */
  readonly body?: unknown;
  readonly isList?: boolean;
  readonly notes?: readonly string[];
}

/** Names the clients that only a change of the configuration changes. */
const configuredNotes = (clients: readonly Client[]): readonly string[] => {
  const configured = clients.filter(({ configuration_key }) => configuration_key !== undefined);
  if (configured.length === 0) return [];
  const names = configured.map(({ client_id, configuration_key }) => `${client_id} (${configuration_key})`);
  return ['', `Read-only, in the configuration of the server: ${names.join(', ')}`];
};

export const showClients = (values: Values, surface: Pick<Surface, 'out'>, shown: ClientsToShow): Promise<void> => {
  const {
    clients,
    body = clients.length === 1 ? clients[0] : clients,
    isList = clients.length > 1,
    notes = [],
  } = shown;
  return show(values, surface, {
    body,
    headers: Object.keys(columns),
    rows: clients.map((client) => Object.values(columns).map((member) => words(client[member]))),
    ids: clients.map(({ client_id }) => String(client_id)),
    isList,
    notes: [...configuredNotes(clients), ...notes],
  });
};
