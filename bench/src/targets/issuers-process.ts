import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Carnet, ConfigInput } from '@carnet/provider';
import { createProvider } from '@carnet/provider';
import { openShared } from '@carnet/provider/server';

/** The message that starts the process. */
export interface IssuersOptions {
  readonly storage: string;
  /** The names of the issuers; the issuer of each is below the public URL. */
  readonly names: readonly string[];
}

/** The message of a process that serves. */
export interface ServingIssuers {
  readonly publicUrl: string;
  readonly adminUrl: string;
  /** CPU time, in microseconds, for the creation of all providers. */
  readonly creationMicroseconds: number;
}

/** Milliseconds. Longer than the rounds of the other process, in which the connections are idle. */
const keepAliveTimeout = 120_000;

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer({ keepAliveTimeout }, listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Serves several issuers, each below its first segment of the path. */
const serve = async ({ storage, names }: IssuersOptions): Promise<ServingIssuers> => {
  const open = new Map<string, ReturnType<Carnet['standalone']>>();
  const admins = new Map<string, ReturnType<Carnet['adminCallback']>>();
  const publicUrl = await listen((request, response) => {
    const [, name = ''] = (request.url ?? '').split('/', 2);
    open.get(name)?.(request, response);
  });
  const adminUrl = await listen((request, response) => {
    const [, name = '', ...rest] = (request.url ?? '').split('/');
    admins.get(name)?.(Object.assign(request, { url: `/${rest.join('/')}` }), response);
  });
  const config: ConfigInput = {
    dev: true,
    issuer: publicUrl,
    storage: { default: storage },
    keys: { source: 'store', idTokenAlg: 'ES256', algorithms: ['ES256'] },
    urls: { login: 'http://127.0.0.1/login', consent: 'http://127.0.0.1/consent' },
  };
  const shared = await openShared(config);
  const before = process.cpuUsage();
  for (const name of names) {
    const carnet = await createProvider({ ...config, issuer: `${publicUrl}/${name}` }, { shared, issuerName: name });
    open.set(name, carnet.standalone());
    admins.set(name, carnet.adminCallback());
  }
  const { user, system } = process.cpuUsage(before);
  return { publicUrl, adminUrl, creationMicroseconds: user + system };
};

process.once('disconnect', () => process.exit());
process.once('message', async (options: IssuersOptions) => process.send?.(await serve(options)));
