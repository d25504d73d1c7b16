import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { administrator } from './configuration.ts';

const run = promisify(execFile);

const asAdministrator = (url: string) => ['-x', '-H', url, '-D', administrator.dn, '-w', administrator.password];

/** Applies changes in LDIF as administrator. */
export const modify = async (url: string, ldif: string): Promise<void> => {
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
export const statistics = async (url: string) => ({
  connections: await readCounter(url, counterNames.connections),
  binds: await readCounter(url, counterNames.binds),
  searches: await readCounter(url, counterNames.searches),
});
