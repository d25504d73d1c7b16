import { CarnetError, type OAuth2Client } from '@carnet/provider';
import type { PageContext } from '../../page/route.ts';

/** The client that the path names, from the store. @throws CarnetError `not_found` */
export const findClient = ({ server, params }: Pick<PageContext, 'server' | 'params'>): Promise<OAuth2Client> =>
  server.clients.get(params.id ?? '');

/** Ids are printable ASCII of at most 255 characters: every other text is no id. */
const isId = (text: string): boolean => /^[\x20-\x7e]{1,255}$/.test(text);

/** The client with exactly this id, from the store. Undefined if there is none. */
export const findIfAny = async (
  { server }: Pick<PageContext, 'server'>,
  id: string,
): Promise<OAuth2Client | undefined> => {
  if (!isId(id)) return undefined;
  try {
    return await server.clients.get(id);
  } catch (error) {
    if (error instanceof CarnetError && error.code === 'not_found') return undefined;
    throw error;
  }
};

/** The hidden field by which a form notices a change after it was loaded, also one of its own that is sent twice. */
export const versionField = 'updated_at';

/**
 * The client that a form is about.
 *
 * @throws CarnetError `not_found`, `changed` when the client has changed since the form was loaded
 */
export const findUnchanged = async (
  { server, params, form }: Pick<PageContext, 'server' | 'params' | 'form'>,
  problem: string,
): Promise<OAuth2Client> => {
  const client = await findClient({ server, params });
  if (form.get(versionField) !== client.updated_at) throw new CarnetError('changed', problem);
  return client;
};

/** The message of an error about what the operator has typed. Other errors are thrown again. */
export const problemOfInput = (error: unknown): string => {
  if (error instanceof CarnetError && (error.status === 400 || error.status === 409)) return error.message;
  throw error;
};
