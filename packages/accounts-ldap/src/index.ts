export { openLdapDirectory } from './ldap-directory.ts';
export type { LdapDirectoryOptions, PresetName } from './options.ts';
