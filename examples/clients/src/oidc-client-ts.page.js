import { UserManager } from 'oidc-client-ts';

const { issuer, clientId } = window.settings;

// docs: settings
const manager = new UserManager({
  authority: issuer,
  client_id: clientId,
  redirect_uri: `${location.origin}/callback`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: 'openid profile email',
});
// docs: end

if (location.pathname === '/callback') {
  // In a frame or a popup this notifies the page that opened it; else it returns the user.
  await manager.signinCallback();
  if (window === window.parent) history.replaceState({}, '', '/');
}
document.querySelector('#sign-in').addEventListener('click', () => manager.signinRedirect());
document.querySelector('#sign-out').addEventListener('click', () => manager.signoutRedirect());
window.manager = manager;
document.body.dataset.user = (await manager.getUser())?.profile.sub ?? 'none';
