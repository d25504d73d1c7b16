import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, type SlapdServer, waitUntil } from '@carnet/test-servers';
import { UsageError } from '../usage-error.ts';
import type { PinUser } from './pin-server.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folder.ts';

/** A privacyIDEA server that checks static PIN tokens of users in slapd. */
export interface PrivacyIdea {
  readonly version: string;
  readonly url: string;
  /** The seconds that its user cache keeps a user; 0: off. */
  setUserCache(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

const configuration = (folder: string): string => `
SUPERUSER_REALM = ['super']
SQLALCHEMY_DATABASE_URI = 'sqlite:///${folder}/pi.db'
SECRET_KEY = 'a secret key of the bench, which is long enough'
PI_PEPPER = 'a pepper of the bench'
PI_ENCFILE = '${folder}/enckey'
PI_AUDIT_KEY_PRIVATE = '${folder}/private.pem'
PI_AUDIT_KEY_PUBLIC = '${folder}/public.pem'
PI_LOGLEVEL = 40
PI_LOGFILE = '${folder}/privacyidea.log'
`;

const application = (folder: string): string => `
from privacyidea.app import create_app
application = create_app(config_name="production", config_file="${folder}/pi.cfg", silent=True)
`;

/** Creates the database and the keys. */
const prepare = (venv: string, folder: string): Readonly<Record<string, string | undefined>> => {
  writeFileSync(join(folder, 'pi.cfg'), configuration(folder));
  writeFileSync(join(folder, 'bench_wsgi.py'), application(folder));
  const env = { ...process.env, PRIVACYIDEA_CONFIGFILE: join(folder, 'pi.cfg'), PYTHONWARNINGS: 'ignore' };
  const manage = (...args: string[]) =>
    execFileSync(join(venv, 'bin', 'pi-manage'), args, { env, cwd: folder, stdio: 'pipe' });
  manage('setup', 'create_enckey');
  manage('setup', 'create_audit_keys');
  manage('setup', 'create_tables');
  manage('admin', 'add', 'admin', '-p', 'admin');
  return env;
};

type Call = (path: string, body?: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;

/** Calls privacyIDEA's API as administrator. @throws Error for any answer but success */
const asAdministrator = async (url: string): Promise<Call> => {
  const post = async (path: string, body: unknown, token = ''): Promise<Record<string, unknown>> => {
    const headers = { 'Content-Type': 'application/json', Authorization: token };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const { result } = (await response.json()) as { result: { status: boolean; value?: unknown } };
    if (!response.ok || !result.status) throw new Error(`privacyIDEA: ${path} answered ${JSON.stringify(result)}`);
    return result as Record<string, unknown>;
  };
  const { value } = await post('/auth', { username: 'admin', password: 'admin' });
  const { token } = value as { token: string };
  return (path, body = {}) => post(path, body, token);
};

/** One LDAPS resolver as in its documentation, one realm, and a PIN token for each user. */
const configure = async (call: Call, slapd: SlapdServer, caFile: string, users: readonly PinUser[]): Promise<void> => {
  await call('/resolver/slapd', {
    type: 'ldapresolver',
    LDAPURI: slapd.tlsUrl,
    LDAPBASE: slapd.peopleDn,
    BINDDN: slapd.reader.dn,
    BINDPW: slapd.reader.password,
    LOGINNAMEATTRIBUTE: 'uid',
    LDAPSEARCHFILTER: '(uid=*)(objectClass=inetOrgPerson)',
    USERINFO: '{ "username": "uid", "email": "mail", "surname": "sn", "givenname": "givenName" }',
    UIDTYPE: 'entryUUID',
    NOREFERRALS: true,
    NOSCHEMAS: true,
    CACHE_TIMEOUT: 0,
    TLS_VERIFY: true,
    TLS_CA_FILE: caFile,
    SIZELIMIT: 2_000,
    TIMEOUT: 5,
  });
  await call('/realm/bench', { resolvers: 'slapd', 'priority.slapd': 1 });
  await call('/defaultrealm/bench');
  for (const { name, pin } of users) await call('/token/init', { type: 'spass', user: name, realm: 'bench', pin });
};

/**
 * Starts privacyIDEA with one gunicorn worker. `venv` is a folder made by
 * `python3 -m venv venv && venv/bin/pip install privacyidea gunicorn`.
 *
 * @throws UsageError if there is no privacyIDEA in the folder
 */
export const startPrivacyIdea = async (
  venv: string,
  slapd: SlapdServer,
  users: readonly PinUser[],
): Promise<PrivacyIdea> => {
  if (!existsSync(join(venv, 'bin', 'pi-manage')))
    throw new UsageError(`--privacyidea ${venv}: install it there (see bench/README.md)`);
  const folder = makeScratchFolder('privacyidea');
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, slapd.ca);
  const env = prepare(venv, folder);
  const version = execFileSync(join(venv, 'bin', 'pip'), ['show', 'privacyidea'], { encoding: 'utf8' });
  const url = `http://127.0.0.1:${await findFreePort()}`;
  // The default worker of gunicorn closes each connection.
  const worker = ['--workers', '1', '--worker-class', 'gthread', '--threads', '1', '--keep-alive', '75'];
  const args = [...worker, '--bind', new URL(url).host, '--no-control-socket', 'bench_wsgi:application'];
  const server = spawn(join(venv, 'bin', 'gunicorn'), args, {
    cwd: folder,
    env: env as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  const stop = async (): Promise<void> => {
    const ended = server.exitCode === null ? once(server, 'exit') : undefined;
    server.kill('SIGTERM');
    await ended;
    removeScratchFolder(folder);
  };
  try {
    const isReady = async () => (await fetch(`${url}/healthz/livez`)).status < 500;
    await waitUntil(`privacyIDEA at ${url}`, isReady, { withinSeconds: 60 });
    const call = await asAdministrator(url);
    await configure(call, slapd, caFile, users);
    return {
      version: /^Version: (.+)$/m.exec(version)?.[1] ?? '',
      url,
      setUserCache: async (seconds) => void (await call('/system/setConfig', { UserCacheExpiration: seconds })),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
