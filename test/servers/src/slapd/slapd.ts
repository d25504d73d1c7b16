import { execFile } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openAuthority } from '../certificates.ts';
import { findProgram } from '../executables.ts';
import { acceptsConnections } from '../free-port.ts';
import { ordinaryUser, type User } from '../ordinary-user.ts';
import { isStopped } from '../process-family.ts';
import { inNewFolder, type ServerProcess, startServerProcess } from '../server-process.ts';
import { waitUntil } from '../wait-until.ts';
import {
  activeDirectorySchema,
  administrator,
  groupsDn,
  peopleDn,
  reader,
  remoteDn,
  type SlapdOptions,
  slapdConfiguration,
  suffix,
} from './configuration.ts';
import { baseEntries, toLdif } from './ldif.ts';
import { namedUsers, numberedUsers, type SlapdUser, userEntries } from './users.ts';

/** A slapd for tests. It ends with this process at the latest. */
export interface SlapdServer extends Omit<ServerProcess, 'pause'> {
  /** `ldap://127.0.0.1:port`, which offers StartTLS. */
  readonly url: string;
  /** `ldaps://127.0.0.1:port`. */
  readonly tlsUrl: string;
  readonly tlsPort: number;
  /** The certificate of the authority that signed slapd's, in PEM. */
  readonly ca: string;
  readonly suffix: string;
  readonly peopleDn: string;
  readonly groupsDn: string;
  /** A subtree with a referral to a server that does not exist. */
  readonly remoteDn: string;
  /** The service account: it reads all but passwords. */
  readonly reader: { readonly dn: string; readonly password: string };
  /** Users by name (`ada`, `ben`, `locked` ...), then the numbered ones (`user0001` ...). */
  readonly users: readonly SlapdUser[];
  /** The user with this uid. */
  user(uid: string): SlapdUser;
  /** Applies changes in LDIF (RFC 2849) as administrator. */
  modify(ldif: string): Promise<void>;
  /** The number of connections that were opened, and of operations that were started, since the start of slapd. */
  statistics(): Promise<{ readonly connections: number; readonly binds: number; readonly searches: number }>;
  /** The certificate from the next start. `other` is signed by an authority that is not `ca`. */
  useCertificate(which: 'valid' | 'expired' | 'other'): void;
  /** SIGSTOP: connections stay open, and the system accepts new ones, but slapd does not answer. Resolves when it stopped. */
  pause(): Promise<void>;
}

const run = promisify(execFile);

const asAdministrator = (url: string) => ['-x', '-H', url, '-D', administrator.dn, '-w', administrator.password];

/** Applies changes in LDIF as administrator. */
const modify = async (url: string, ldif: string): Promise<void> => {
  const running = run('ldapmodify', asAdministrator(url));
  running.child.stdin?.end(`${ldif}\n`);
  await running;
};

const counterNames = {
  connections: 'cn=Total,cn=Connections,cn=Monitor',
  binds: 'cn=Bind,cn=Operations,cn=Monitor',
  searches: 'cn=Search,cn=Operations,cn=Monitor',
} as const;

const readCounter = async (url: string, dn: string): Promise<number> => {
  const wanted = ['-LLL', '-s', 'base', '-b', dn, 'monitorCounter', 'monitorOpInitiated'];
  const { stdout } = await run('ldapsearch', [...asAdministrator(url), ...wanted]);
  return Number(/^(?:monitorCounter|monitorOpInitiated): (\d+)$/m.exec(stdout)?.[1]);
};

/** Reads the counters of `cn=Monitor`. */
const statistics = async (url: string) => ({
  connections: await readCounter(url, counterNames.connections),
  binds: await readCounter(url, counterNames.binds),
  searches: await readCounter(url, counterNames.searches),
});

const findOpenLdap = (name: string): string => findProgram(name, 'OpenLDAP (Debian: `slapd slapd-contrib ldap-utils`)');

/** The second port: `findFreePort` looks at it as well. */
const tlsPortOf = (port: number): number => port + 10_000;

const isReady = async (folder: string, pid: number, port: number): Promise<boolean> => {
  if (readFileSync(join(folder, 'slapd.pid'), 'utf8').trim() !== `${pid}`) return false;
  return (await acceptsConnections(port)) && (await acceptsConnections(tlsPortOf(port)));
};

const chownAll = (folder: string, user: User | undefined): void => {
  if (user === undefined) return;
  chownSync(folder, user.uid, user.gid);
  for (const name of readdirSync(folder)) chownSync(join(folder, name), user.uid, user.gid);
};

/** The certificates of slapd, by name, for 127.0.0.1. */
const openCertificates = () => {
  const authorities = [openAuthority(), openAuthority()] as const;
  const server = { subject: '/CN=slapd of the tests', alternativeNames: 'IP:127.0.0.1' };
  const certificates = {
    valid: authorities[0].issued(server),
    expired: authorities[0].issued({ ...server, days: -1 }),
    other: authorities[1].issued(server),
  };
  const { ca } = authorities[0];
  for (const authority of authorities) authority.close();
  return { ca, certificates };
};

/** Writes configuration, certificate and data, as the user that slapd runs as. */
const prepare = async (folder: string, user: User | undefined, options: SlapdOptions) => {
  const { ca, certificates } = openCertificates();
  const useCertificate = (which: keyof typeof certificates): void => {
    writeFileSync(join(folder, 'server.pem'), certificates[which].cert);
    writeFileSync(join(folder, 'server.key'), certificates[which].key);
  };
  const count = options.users ?? 1_000;
  const entries = [...baseEntries(count), ...(await userEntries(count, options.hash))];
  mkdirSync(join(folder, 'db'));
  writeFileSync(join(folder, 'ca.pem'), ca);
  useCertificate('valid');
  writeFileSync(join(folder, 'ad.schema'), activeDirectorySchema);
  writeFileSync(join(folder, 'slapd.conf'), slapdConfiguration(folder, options));
  writeFileSync(join(folder, 'data.ldif'), toLdif(entries));
  chownAll(folder, user);
  await run(findOpenLdap('slapadd'), ['-q', '-f', 'slapd.conf', '-l', 'data.ldif'], { cwd: folder, ...user });
  return { ca, useCertificate };
};

const launch = (folder: string, user: User | undefined): Promise<ServerProcess> =>
  startServerProcess({
    name: 'slapd',
    command: findOpenLdap('slapd'),
    args: (port) => [
      ...['-f', join(folder, 'slapd.conf'), '-d', '0'],
      ...['-h', `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${tlsPortOf(port)}`],
    ],
    folder,
    user,
    isReady: ({ pid, port }) => isReady(folder, pid, port),
  });

/** The part of the handle that does not depend on the process. */
const describeTree = (users: readonly SlapdUser[]) => ({
  ...{ suffix, peopleDn, groupsDn, remoteDn, reader, users },
  user(uid: string): SlapdUser {
    const found = users.find((each) => each.uid === uid);
    if (found === undefined) throw new Error(`The tests' slapd has no user ${uid}.`);
    return found;
  },
});

/** Starts OpenLDAP's slapd on 127.0.0.1 as an ordinary user, with users, groups and a certificate of its own. */
export const startSlapd = (options: SlapdOptions = {}): Promise<SlapdServer> =>
  inNewFolder('slapd', async (folder) => {
    const user = ordinaryUser('nobody');
    const { ca, useCertificate } = await prepare(folder, user, options);
    const server = await launch(folder, user);
    const url = `ldap://127.0.0.1:${server.port}`;
    const tlsPort = tlsPortOf(server.port);
    return Object.assign(server, {
      ...describeTree([...namedUsers, ...numberedUsers(options.users ?? 1_000)]),
      ...{ url, ca, useCertificate, tlsPort },
      tlsUrl: `ldaps://127.0.0.1:${tlsPort}`,
      modify: (ldif: string) => modify(url, ldif),
      statistics: () => statistics(url),
      async pause() {
        const { pid } = server;
        process.kill(pid, 'SIGSTOP');
        await waitUntil('stopped slapd', async () => isStopped(pid));
      },
    });
  });
