import { CarnetError, type OAuth2Client } from '@carnet/provider';
import { warningsOf } from '@carnet/provider/clients';
import type { PageContext } from '../../../page/route.ts';
import { type Discovery, readDiscovery } from '../../../server/documents.ts';

/** The features that the server has on, as its discovery document names them. */
export type Offered = Pick<Discovery, 'grant_types_supported' | 'subject_types_supported'>;

/** Empty if the public endpoints do not answer this process: the server applies its rules at the registration. */
export const readOffered = async (context: Pick<PageContext, 'server' | 'signal'>): Promise<Offered> =>
  (await readDiscovery(context).catch(() => undefined)) ?? {};

type Metadata = Pick<OAuth2Client, 'grant_types' | 'redirect_uris' | 'post_logout_redirect_uris' | 'subject_type'>;

/** @throws CarnetError `invalid_client_metadata`, as the registration does */
export const assertSubjectType = (
  { subject_type: type }: Metadata,
  { subject_types_supported: types }: Offered,
): void => {
  if (types !== undefined && !types.includes(type))
    throw new CarnetError('invalid_client_metadata', `Field subject_type must be ${types.join(' or ')}.`);
};

/** The parts of a registration that have no effect, and whether the client can not get tokens at all. */
export const notesOn = (metadata: Metadata, { grant_types_supported: offered }: Offered): readonly string[] => {
  const { grant_types: grants } = metadata;
  const isUseless = offered !== undefined && grants.length > 0 && grants.every((grant) => !offered.includes(grant));
  const useless = 'the client can not get tokens: the server offers none of its grant_types';
  return [...warningsOf(metadata), ...(isUseless ? [useless] : [])];
};
