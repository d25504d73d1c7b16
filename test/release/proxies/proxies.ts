import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@carnet/test-servers';
import { type Program, startProgram } from './programs.ts';

/** What the configuration of a proxy names, and where it is in this run. */
export interface Places {
  readonly carnetPort: number;
  readonly pagesPort: number;
  /** The certificate of id.example.com and its key, in PEM. */
  readonly cert: string;
  readonly key: string;
  /** An empty folder for each proxy. */
  readonly folder: string;
}

export interface RunningProxy extends Pick<Program, 'stop'> {
  /** Everything that the proxy has logged. */
  logged(): string;
  readonly httpsPort: number;
  readonly httpPort: number;
}

interface Ports {
  readonly http: number;
  readonly https: number;
}

type Change = readonly [from: string | RegExp, to: string];

interface Proxy {
  readonly name: string;
  readonly command: string;
  /** The file in deploy/proxies. */
  readonly file: string;
  /** What is another in this run: ports, certificates, users. Everything else is tested as it is. */
  changes(ports: Ports, places: Places): readonly Change[];
  /** The configuration around a file that is a part of one. */
  around?(text: string, folder: string): string;
  args(file: string, folder: string): readonly string[];
}

const deploy = fileURLToPath(new URL('../../../deploy/proxies/', import.meta.url));

const upstreams = ({ carnetPort, pagesPort }: Places): readonly Change[] => [
  [/127\.0\.0\.1:4444/g, `127.0.0.1:${carnetPort}`],
  [/127\.0\.0\.1:3000/g, `127.0.0.1:${pagesPort}`],
];

const certificates = ({ folder }: Places): readonly Change[] => [
  ['/etc/ssl/carnet/fullchain.pem', join(folder, 'cert.pem')],
  ['/etc/ssl/carnet/privkey.pem', join(folder, 'key.pem')],
];

const apacheModules = 'mpm_event authz_core alias ssl proxy proxy_http headers socache_shmcb';

export const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    command: '/usr/sbin/nginx',
    file: 'nginx/carnet.conf',
    changes: ({ http, https }, places) => [
      ...upstreams(places),
      ...certificates(places),
      // Not every machine has IPv6.
      [/^ *listen \[::\].*$/gm, ''],
      ['/var/log/nginx/carnet.log', join(places.folder, 'access.log')],
      ['/var/log/nginx/carnet-error.log', 'stderr'],
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['listen 443 ssl', `listen 127.0.0.1:${https} ssl`],
    ],
    around: (text, folder) => `
      daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}
      http {
        client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
        ${text}
      }`,
    args: (file, folder) => ['-p', folder, '-c', file],
  },
  {
    name: 'Caddy',
    command: '/usr/bin/caddy',
    file: 'caddy/Caddyfile',
    changes: ({ http, https }, places) => [
      ...upstreams(places),
      ['/var/log/caddy/carnet.log', join(places.folder, 'access.log')],
      // The certificate of this run instead of one from an authority, and no admin endpoint.
      [
        'id.example.com {\n',
        `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n}\n\nid.example.com {\n\tbind 127.0.0.1\n\ttls ${places.folder}/cert.pem ${places.folder}/key.pem\n`,
      ],
    ],
    // Global options come first.
    around: (text) => {
      const [snippets = '', rest = ''] = text.split(/(?=^\{$)/m);
      const [options = '', sites = ''] = rest.split(/(?=^id\.example)/m);
      return `${options}${snippets}${sites}`;
    },
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  },
  {
    name: 'HAProxy',
    command: '/usr/sbin/haproxy',
    file: 'haproxy/haproxy.cfg',
    changes: ({ http, https }, places) => [
      ...upstreams(places),
      [/^ {2}(?:user|group) haproxy$/gm, ''],
      ['log /dev/log local0', 'log stdout format raw local0'],
      ['bind :80', `bind 127.0.0.1:${http}`],
      ['bind :443', `bind 127.0.0.1:${https}`],
      ['/etc/haproxy/carnet.pem', join(places.folder, 'both.pem')],
    ],
    args: (file) => ['-db', '-f', file],
  },
  {
    name: 'Apache',
    command: '/usr/sbin/apache2',
    file: 'apache/carnet.conf',
    changes: ({ http, https }, places) => [
      ...upstreams(places),
      ...certificates(places),
      [/\$\{APACHE_LOG_DIR\}/g, places.folder],
      ['<VirtualHost *:80>', `Listen 127.0.0.1:${http}\n<VirtualHost *:${http}>`],
      ['<VirtualHost *:443>', `Listen 127.0.0.1:${https}\n<VirtualHost *:${https}>`],
    ],
    around: (text, folder) => `
ServerName localhost
DefaultRuntimeDir ${folder}
PidFile ${folder}/apache.pid
Mutex file:${folder}
ErrorLog ${folder}/error.log
User www-data
Group www-data
${apacheModules
  .split(' ')
  .map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join('\n')}
${text}`,
    args: (file) => ['-DFOREGROUND', '-f', file],
  },
];

/** The file in deploy/proxies with the places of this run. @throws Error if a change finds nothing to change */
const adapted = (file: string, changes: readonly Change[]): string =>
  changes.reduce(
    (text, [from, to]) => {
      if (text.search(from instanceof RegExp ? from : from.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')) === -1)
        throw new Error(`${file} has no ${from}`);
      return text.replaceAll(from, to);
    },
    readFileSync(join(deploy, file), 'utf8'),
  );

export const startProxy = async (proxy: Proxy, places: Places): Promise<RunningProxy> => {
  const ports = { http: await findFreePort(), https: await findFreePort() };
  const { folder, cert, key } = places;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'both.pem'), `${cert}${key}`);
  const text = adapted(proxy.file, proxy.changes(ports, places));
  const file = join(folder, 'proxy.conf');
  writeFileSync(file, proxy.around?.(text, folder) ?? text);
  const program = await startProgram({
    command: proxy.command,
    args: proxy.args(file, folder),
    env: { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C' },
    cwd: folder,
    port: ports.https,
  });
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
  const logged = () => `${program.output()}${read('access.log')}${read('carnet.log')}${read('error.log')}`;
  return { stop: program.stop, logged, httpsPort: ports.https, httpPort: ports.http };
};
