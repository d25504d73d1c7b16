import type { JsonObject } from '../kit/json.ts';
import { afterRefusal } from './after-refusal.ts';
import { type Importable, type ImportableOptions, importable } from './importable.ts';

/** With `lenient`, the registration is repeated without the refused members, until the server accepts the client. */
export interface RegisterOptions<Client> extends ImportableOptions {
  readonly create: (client: JsonObject) => Promise<Client>;
  /** The reason of the server to refuse the metadata. Undefined for other errors. */
  readonly refusalIn: (error: unknown) => string | undefined;
}

export interface Registered<Client> {
  readonly client: Client;
  /** One for each member that was changed or left out. */
  readonly notes: readonly string[];
}

const register = async <Client>(
  { client, notes }: Importable,
  options: RegisterOptions<Client>,
): Promise<Registered<Client>> => {
  try {
    return { client: await options.create(client), notes };
  } catch (error) {
    const reason = options.lenient ? options.refusalIn(error) : undefined;
    const smaller = reason === undefined ? undefined : afterRefusal(client, reason);
    if (!smaller) throw error;
    // Each attempt has fewer members.
    return register({ client: smaller.client, notes: [...notes, ...smaller.notes] }, options);
  }
};

/**
 * Registers a client of another server's export.
 *
 * @throws the error of `create`
 */
export const registerExported = <Client>(
  exported: JsonObject,
  options: RegisterOptions<Client>,
): Promise<Registered<Client>> => register(importable(exported, options), options);
