export { openOidcProvider } from './oidc/open-oidc-provider.ts';
