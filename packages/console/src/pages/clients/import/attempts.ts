import { setImmediate as nextTurn } from 'node:timers/promises';
import { problemOfFormat, registerExported } from '@carnet/adapter-contract/client-import';
import { batchesOf } from '@carnet/adapter-contract/kit';
import { CarnetError, type ClientMetadata, type CreatedOAuth2Client } from '@carnet/provider';
import { clientBody, fieldMessage, parseClient } from '@carnet/provider/clients';
import type { PageContext } from '../../../page/route.ts';
import { findIfAny } from '../find-client.ts';
import type { Entry } from './import-file.ts';
import { assertSubjectType, notesOn, type Offered } from './offered.ts';

/** The result for one client. `ready`: a check has found no problem. */
export type Outcome =
  | { readonly type: 'ready'; readonly notes: readonly string[]; readonly needsSecret: boolean }
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

interface Attempting<Client> {
  readonly lenient: boolean;
  /** Whether the next client is looked up before `create`. */
  readonly looksUp: () => boolean;
  readonly create: (metadata: ClientMetadata) => Promise<Client>;
  readonly outcomeOf: (client: Client, notes: readonly string[]) => Outcome;
}

const attemptBy =
  <Client>({ server }: Context, { lenient, looksUp, create, outcomeOf: outcome }: Attempting<Client>): Attempt =>
  async ({ exported, id }) => {
    const reason = problemOfFormat(exported, clientBody);
    if (reason !== undefined) return { type: 'refused', reason };
    if (looksUp() && id !== undefined && (await findIfAny({ server }, id)) !== undefined) return { type: 'existing' };
    const { client, notes } = await registerExported(exported, {
      ...{ lenient, schema: clientBody, message: fieldMessage, refusalIn },
      // Sound because `create` parses what it gets.
      create: (metadata) => create(metadata as ClientMetadata),
    });
    return outcome(client, notes);
  };

type Parsed = ReturnType<typeof parseClient>;

/** Whether the registration of this client generates a secret. */
const needsSecret = ({ secret, secretHashes, metadata }: Parsed): boolean =>
  secret === undefined && secretHashes.length === 0 && metadata.token_endpoint_auth_method.startsWith('client_secret_');

interface Terms {
  /** Leaves out members that the server refuses. */
  readonly lenient: boolean;
  readonly offered: Offered;
}

/** Finds what can be known without a registration. */
export const createCheck = (context: Context, { lenient, offered }: Terms): Attempt =>
  attemptBy(context, {
    lenient,
    looksUp: () => true,
    create: async (metadata) => {
      const parsed = parseClient(metadata);
      assertSubjectType(parsed.metadata, offered);
      return parsed;
    },
    outcomeOf: (parsed, notes) => ({
      type: 'ready',
      notes: [...notes, ...notesOn(parsed.metadata, offered)],
      needsSecret: needsSecret(parsed),
    }),
  });

/**
 * Registers the client. The server reports each existing client as a refusal, so that a repeated import could report thousands:
 * after the first one, clients are looked up. Lookups take about as long as registrations, and a first import needs none.
 *
 * @param hasExisting the check has found existing clients
 */
export const createRegistration = (
  context: Context,
  { lenient, offered, hasExisting }: Terms & { readonly hasExisting: boolean },
): Attempt => {
  let looksUp = hasExisting;
  return attemptBy(context, {
    lenient,
    looksUp: () => looksUp,
    create: (metadata) =>
      context.server.clients.create(metadata).catch((error: unknown) => {
        looksUp ||= error instanceof CarnetError && error.code === 'conflict';
        throw error;
      }),
    outcomeOf: (client, notes) => {
      context.audit('console.client.import', { clientId: client.client_id });
      return { type: 'created', notes: [...notes, ...notesOn(client, offered)], client };
    },
  });
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
