/** Names that snippets use without declaring them, by `<!-- snippet: given ... -->`. Each is one declaration. */
export const given: Readonly<Record<string, string>> = {
  app: "declare const app: import('express').Express;",
  carnet: "declare const carnet: import('@carnet/provider').Carnet;",
  challenge: 'declare const challenge: string;',
  config: "declare const config: import('@carnet/provider').ConfigInput;",
  createProvider: "import { createProvider } from '@carnet/provider';",
  login: 'declare const login: string;',
  password: 'declare const password: string;',
  token: 'declare const token: string;',
  user: 'declare const user: { id: string; email: string };',
};
