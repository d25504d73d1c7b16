import type { Clients, OAuth2Client } from '@carnet/provider';
import { type ClientRow, rowOf } from './client-row.ts';

interface Indexed extends ClientRow {
  /** Name, id and hosts, folded. */
  readonly text: string;
}

/** Younger than this, the index is used as it is. Older, it is read again in the background. */
const freshMs = 30_000;
/** Older than this, a search waits for the next reading. */
const maxAgeMs = 300_000;
const readSize = 500;
/** Longer texts are cut: no client has them, and each word costs a comparison for each client. */
const maxTextLength = 256;
/** Installations with more clients search the first ones only, and the page says so. */
const maxClients = 100_000;

export interface Found {
  readonly rows: readonly ClientRow[];
  readonly next: string | undefined;
  /** The age of the index, in milliseconds. */
  readonly ageMs: number;
  /** Whether there are more clients than the index holds. */
  readonly isPartial: boolean;
}

/**
 * The clients by name, id and redirect host, in the memory of this process: stores find clients by their id alone. Nothing is
 * read while no operator searches.
 */
export interface ClientIndex {
  /** The matches after an id, in the order of ids. Every word of the text must occur. */
  search(text: string, page: { readonly limit: number; readonly after: string | undefined }): Promise<Found>;
  /** The clients whose ids begin with a prefix. */
  withPrefix(prefix: string): Promise<readonly ClientRow[]>;
  /** Takes changes of this process into the index. */
  put(...clients: readonly OAuth2Client[]): void;
  remove(id: string): void;
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

const indexed = (client: OAuth2Client): Indexed => {
  const row = rowOf(client);
  return { ...row, text: fold([row.id, row.name, ...row.hosts].join('\n')) };
};

const byId = (a: ClientRow, b: ClientRow): number => (a.id < b.id ? -1 : 1);

export interface ClientIndexDependencies {
  readonly clients: Pick<Clients, 'list'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const readAll = async (clients: Pick<Clients, 'list'>): Promise<ReadonlyMap<string, Indexed>> => {
  const found = new Map<string, Indexed>();
  for (let after: string | undefined; ; ) {
    const { items, next } = await clients.list({ limit: readSize, after });
    for (const client of items) found.set(client.client_id, indexed(client));
    if (next === undefined || found.size >= maxClients) return found;
    after = next;
  }
};

export const createClientIndex = ({ clients, now }: ClientIndexDependencies): ClientIndex => {
  let sorted: readonly Indexed[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  /** The changes of this process since the running reading began: it may have read the clients before them. */
  let changed = new Map<string, Indexed | undefined>();

  const take = (entries: ReadonlyMap<string, Indexed>): void => {
    const merged = new Map<string, Indexed | undefined>([...entries, ...changed]);
    sorted = [...merged.values()].filter((entry) => entry !== undefined).toSorted(byId);
  };

  const read = async (): Promise<void> => {
    changed = new Map();
    const startedAt = now();
    take(await readAll(clients));
    readAt = startedAt;
  };

  const refresh = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  const entries = async (): Promise<readonly Indexed[]> => {
    const ageMs = now() - readAt;
    if (ageMs > maxAgeMs) await refresh();
    // A reading that fails is repeated by the next search. Until then the index is older, which the page shows.
    else if (ageMs > freshMs) refresh().catch(() => undefined);
    return sorted;
  };

  const change = (changes: ReadonlyMap<string, Indexed | undefined>): void => {
    for (const [id, entry] of changes) changed.set(id, entry);
    const others = sorted.filter(({ id }) => !changes.has(id));
    const put = [...changes.values()].filter((entry) => entry !== undefined);
    sorted = put.length === 0 ? others : [...others, ...put].toSorted(byId);
  };

  return {
    async search(text, { limit, after = '' }) {
      const words = fold(text.slice(0, maxTextLength)).split(/\s+/).filter(Boolean);
      const all = await entries();
      const matches = all.filter((entry) => entry.id > after && words.every((word) => entry.text.includes(word)));
      const rows = matches.slice(0, limit);
      const next = matches.length > limit ? rows.at(-1)?.id : undefined;
      return { rows, next, ageMs: Math.max(0, now() - readAt), isPartial: all.length >= maxClients };
    },
    withPrefix: async (prefix) => (await entries()).filter(({ id }) => id.startsWith(prefix)),
    put: (...clients) => change(new Map(clients.map((client) => [client.client_id, indexed(client)]))),
    remove: (id) => change(new Map([[id, undefined]])),
  };
};

const indexes = new WeakMap<Pick<Clients, 'list'>, ClientIndex>();

/** The index of a server's clients: one for all requests of this process. */
export const clientIndexOf = (deps: ClientIndexDependencies): ClientIndex => {
  const found = indexes.get(deps.clients) ?? createClientIndex(deps);
  indexes.set(deps.clients, found);
  return found;
};
