import type { Services } from '../services.ts';
import { accountLogin, signInChecks } from './account-client.ts';

const sessionSeconds = 1800;
const signInSeconds = 1800;

/**
 * The cookies of the account pages. The session lasts 30 minutes. Then the user is redirected to the provider again, which
 * asks for no password while the user is signed in there.
 */
export const accountCookies = ({ cookies }: Pick<Services, 'cookies'>) => ({
  session: cookies.create({
    name: 'carnet_account',
    schema: accountLogin,
    maxAgeSeconds: sessionSeconds,
  }),
  signIn: cookies.create({
    name: 'carnet_account_sign_in',
    schema: signInChecks,
    maxAgeSeconds: signInSeconds,
  }),
});
