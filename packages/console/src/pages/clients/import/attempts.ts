import { setImmediate as nextTurn } from 'node:timers/promises';
import { importable, refusalsIn, registerExported } from '@carnet/adapter-contract/client-import';
import { batchesOf } from '@carnet/adapter-contract/kit';
import { CarnetError, type ClientMetadata, type CreatedOAuth2Client } from '@carnet/provider';
import { clientBody } from '@carnet/provider/clients';
import type { PageContext } from '../../../page/route.ts';
import { findIfAny } from '../find-client.ts';
import type { Entry } from './import-file.ts';

/** The result for one client. `ready`: a check has found no problem. */
export type Outcome =
  | { readonly type: 'ready'; readonly notes: readonly string[] }
  | { readonly type: 'created'; readonly notes: readonly string[]; readonly client: CreatedOAuth2Client }
  | { readonly type: 'existing' | 'repeated' }
  | { readonly type: 'refused'; readonly reason: string }
  /** No fault of the client, such as a store that does not answer: the import ends. */
  | { readonly type: 'failed'; readonly error: unknown };

export type Attempt = (entry: Entry) => Promise<Outcome>;

type Context = Pick<PageContext, 'server' | 'audit'>;

const outcomeOf = (error: unknown): Outcome => {
  if (!(error instanceof CarnetError)) return { type: 'failed', error };
  if (error.code === 'conflict') return { type: 'existing' };
  // 413: the client is longer than the admin API accepts.
  const isRefused = error.status === 400 || error.status === 413;
  return isRefused ? { type: 'refused', reason: error.message } : { type: 'failed', error };
};

const refusalIn = (error: unknown): string | undefined =>
  error instanceof CarnetError && ['invalid_client_metadata', 'invalid_redirect_uri'].includes(error.code)
    ? error.message
    : undefined;

/** Finds what can be known without a registration. */
export const createCheck =
  ({ server }: Context, { lenient }: { readonly lenient: boolean }): Attempt =>
  async ({ exported, id }) => {
    const client = importable(exported, { lenient, schema: clientBody });
    const reasons = refusalsIn(client, clientBody);
    if (reasons.length > 0) return { type: 'refused', reason: reasons.join('; ') };
    if (id !== undefined && (await findIfAny({ server }, id)) !== undefined) return { type: 'existing' };
    return { type: 'ready', notes: client.notes };
  };

/** Registers the client. */
export const createRegistration =
  ({ server, audit }: Context, { lenient }: { readonly lenient: boolean }): Attempt =>
  async ({ exported }) => {
    const { client, notes } = await registerExported(exported, {
      ...{ lenient, schema: clientBody, refusalIn },
      // Sound because `create` parses what it gets.
      create: (metadata) => server.clients.create(metadata as ClientMetadata),
    });
    audit('console.client.import', { clientId: client.client_id });
    return { type: 'created', notes, client };
  };

/** More would delay the logins that this process serves meanwhile. */
const concurrent = 8;

export interface Result {
  readonly entry: Entry;
  readonly outcome: Outcome;
}

/** The results in the order of the file, a few at a time, until one fails or the signal is aborted. */
export async function* attemptEach(
  entries: readonly Entry[],
  attempt: Attempt,
  signal: AbortSignal,
): AsyncGenerator<readonly Result[]> {
  for (const batch of batchesOf(entries, concurrent)) {
    // A store in this process answers without a turn of the event loop: without this one, logins would wait for the whole import.
    await nextTurn();
    if (signal.aborted) return;
    const results = await Promise.all(
      batch.map(async (entry): Promise<Result> => {
        // Not tried: which of the two would be registered first is open.
        if (entry.isRepeated) return { entry, outcome: { type: 'repeated' } };
        return { entry, outcome: await attempt(entry).catch(outcomeOf) };
      }),
    );
    yield results;
    if (results.some(({ outcome }) => outcome.type === 'failed')) return;
  }
}
