import { startInTest } from '../before-tests.ts';
import { registerClient } from '../clients.ts';
import { authorizeAt } from '../login.ts';

export const callback = 'http://login.test/login/provider/corp';

/** The claims of the user ada at the provider. */
export const adaClaims = { name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true };

/** Another Carnet as the provider. Its client `carnet` has the metadata, and its users have the claims. */
export const startUpstream = async (metadata: object = {}, claims: object = adaClaims) => {
  const upstream = await startInTest();
  const grant = { redirect_uris: [callback], grant_types: ['authorization_code'], scope: 'openid profile email' };
  const client = await registerClient(upstream, 'carnet', { ...grant, ...metadata });
  /** The user signs in there. Returns the query of the callback. */
  const signIn = async (url: string, subject = 'ada'): Promise<string> => {
    const consent = { grant_scope: ['openid', 'profile', 'email'], session: { id_token: claims } };
    const end = await authorizeAt(upstream, url, { subject, login: { remember: true }, consent });
    return end.search.slice(1);
  };
  return { upstream, client, signIn };
};
