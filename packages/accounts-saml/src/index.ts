export { openSamlProvider } from './open-saml-provider.ts';
