import { CarnetError } from '../errors.ts';

/** Every refusal of metadata begins with the field it is about. */
const isAboutRedirectUris = /^(?:Field )?redirect_uris\b/;

/**
 * What refuses a client that registers itself, by the code of RFC 7591, section 3.2.2; the admin API has one code for all
 * fields, as Hydra's.
 */
export const withRedirectUriError = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CarnetError) || error.code !== 'invalid_client_metadata') throw error;
    if (!isAboutRedirectUris.test(error.description)) throw error;
    throw new CarnetError('invalid_redirect_uri', error.description, { cause: error });
  }
};
