/** `@carnet/adapter-contract/client-import`: the rules by which the command and the console register clients of other servers. */
export { problemOfFormat } from './client-import/importable.ts';
export { registerExported } from './client-import/register-exported.ts';
