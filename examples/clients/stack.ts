import { createServer, type Server } from 'node:http';
import { type ConfigInput, createProvider } from '@carnet/provider';
import { type Listening, listen } from '../../test/servers/src/listen.ts';
import { startLoginApp } from '../certification/login-app.ts';
import { registrationIn } from './guide.ts';
import type { CreateApp } from './src/settings.ts';

export interface Stack {
  readonly issuer: string;
  readonly admin: string;
  /**
   * Registers a client as a section of docs/guides/clients.md describes it, and starts its application.
   * `baseUrl` is for an application behind a proxy. Default: where it listens.
   */
  startApplication(section: string, createApp: CreateApp, baseUrl?: string): Promise<{ readonly origin: string }>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A provider with the defaults of dev mode, and a login app that accepts every request. */
export const startStack = async (config: Partial<ConfigInput> = {}): Promise<Stack> => {
  const opened: Listening[] = [];
  const open = async (server: Server): Promise<string> => {
    const listening = await listen(server);
    opened.push(listening);
    return listening.origin;
  };
  const [publicServer, adminServer] = [createServer(), createServer()];
  const [issuer, admin] = [await open(publicServer), await open(adminServer)];
  const loginApp = await startLoginApp(admin);
  const [login, consent, logout] = ['login', 'consent', 'logout'].map((page) => `${loginApp.origin}/${page}`);
  const urls = { login, consent, logout };
  // The applications are called at their addresses on this machine.
  const outbound = { allow: ['127.0.0.1'] };
  const carnet = await createProvider({ dev: true, issuer, urls, outbound, ...config });
  publicServer.on('request', carnet.callback());
  adminServer.on('request', carnet.adminCallback());

  return {
    issuer,
    admin,
    startApplication: async (section, createApp, publicUrl) => {
      const server = createServer();
      const origin = await open(server);
      const baseUrl = publicUrl ?? origin;
      const body = registrationIn(section, baseUrl);
      const response = await fetch(`${admin}/admin/clients`, { method: 'POST', body });
      const client = (await response.json()) as { readonly client_id: string; readonly client_secret?: string };
      if (response.status !== 201) throw new Error(`The client is not registered: ${JSON.stringify(client)}`);
      const app = await createApp({
        issuer,
        clientId: client.client_id,
        clientSecret: client.client_secret ?? '',
        baseUrl,
        sessionSecret: 'a secret of the application',
      });
      server.on('request', app);
      return { origin };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...opened, loginApp].map(({ close }) => close()));
      await carnet.close();
    },
  };
};
