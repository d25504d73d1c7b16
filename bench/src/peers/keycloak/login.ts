import type { Target } from '../../targets/target.ts';
import { type Cookies, openPage, submitForm } from '../../users/browser.ts';
import { openHttpPool } from '../../users/http-pool.ts';
import { openCodeFlow } from '../code-flow.ts';
import { type PeerLogin, passwordsAtOnce, peerLogin } from '../peer.ts';
import { takeTurns } from '../users.ts';
import { clientId, type Realm, realms } from './realm.ts';

/** The authorization request, the login form, the consent form, and the redemption of the code: five requests. */
const openLogins = ({ publicUrl }: Target, realm: string): (() => Promise<unknown>) => {
  const pool = openHttpPool(publicUrl, passwordsAtOnce);
  const flow = openCodeFlow({
    baseUrl: `${publicUrl}/realms/${realm}/protocol/openid-connect`,
    authorizationPath: '/auth',
    tokenPath: '/token',
    clientId,
    // Keycloak issues a refresh token without offline_access, which would add an offline session.
    scope: 'openid',
    connections: passwordsAtOnce,
  });
  const nextUser = takeTurns();
  return async () => {
    const cookies: Cookies = new Map();
    const { url, state } = flow.begin();
    const { name, password } = nextUser();
    const loginPage = await openPage(pool, cookies, url);
    const consentUrl = await submitForm(pool, cookies, loginPage, { username: name, password });
    const consentPage = await openPage(pool, cookies, consentUrl);
    return flow.redeem(await submitForm(pool, cookies, consentPage, { accept: 'Yes' }), state);
  };
};

const loginIn = (realm: Realm): PeerLogin =>
  peerLogin({
    name: `keycloak-${realm.name}`,
    title: 'Keycloak, login form and consent form',
    password: realm.hashing,
    connections: passwordsAtOnce,
    open: async (target) => openLogins(target, realm.name),
  });

export const keycloakLogins: readonly PeerLogin[] = realms.map(loginIn);
