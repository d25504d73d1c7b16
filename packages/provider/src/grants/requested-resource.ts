import type { ClientRecord } from '../clients/client-record.ts';
import { invalidTarget } from '../oauth-error.ts';
import type { Resource, Resources } from '../tokens/resources.ts';

/** The one resource of a request for a token without a user, or none. */
export const onlyResource = (
  identifiers: readonly string[],
  client: ClientRecord,
  resources: Resources,
): Resource | undefined => {
  const [resource, ...others] = resources.find(identifiers, client);
  if (others.length > 0) throw invalidTarget('only a single resource can be named for this grant type');
  return resource;
};
