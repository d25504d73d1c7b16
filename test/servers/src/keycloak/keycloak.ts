import { join } from 'node:path';
import { inNewFolder, type ServerProcess, startServerProcess } from '../server-process.ts';
import { installKeycloak, javaHome } from './install.ts';

/** A Keycloak of its own. */
export interface Keycloak extends ServerProcess {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Posts to the admin API: `/realms` creates a realm. A text is sent as XML. @returns the answer, if it has one */
  post(path: string, body: object | string): Promise<unknown>;
}

export interface KeycloakOptions {
  /** The URL of a database in Postgres that has no tables. */
  readonly database: string;
  /** The options of Java for the heap: by default Keycloak begins with half of the memory of the machine. */
  readonly heap?: readonly string[];
}

const admin = { username: 'admin', password: 'the admin of the tests' };

/** As `bin/kc.sh` runs it, which would be a process of its own that a signal does not end. */
const javaArgs = (home: string, heap: readonly string[]): readonly string[] => [
  '-Djava.util.concurrent.ForkJoinPool.common.threadFactory=io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory',
  ...['-XX:MetaspaceSize=96M', '-XX:MaxMetaspaceSize=256m', '-XX:+ExitOnOutOfMemoryError', '-XX:+UseG1GC'],
  ...['-XX:FlightRecorderOptions=stackdepth=512', '-Dfile.encoding=UTF-8', '-Djava.security.egd=file:/dev/urandom'],
  ...['-Djdk.tls.rejectClientInitiatedRenegotiation=true', ...heap],
  ...['java.util', 'java.util.concurrent', 'java.security', 'java.lang'].map(
    (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
  ),
  ...['--enable-native-access=ALL-UNNAMED', '-Duser.language=en', '-Duser.country=US', `-Dkc.home.dir=${home}`],
  ...[`-Djboss.server.config.dir=${join(home, 'conf')}`, '-Djava.util.logging.manager=org.jboss.logmanager.LogManager'],
  ...['-Dpicocli.disable.closures=true', '-Dquarkus-log-max-startup-records=10000'],
  ...['-cp', join(home, 'lib', 'quarkus-run.jar'), 'io.quarkus.bootstrap.runner.QuarkusEntryPoint'],
];

const serverArgs = (database: string, port: number): readonly string[] => {
  const { host, pathname, username } = new URL(database);
  return [
    ...['start', '--optimized', '--http-enabled=true', '--http-host=127.0.0.1', `--http-port=${port}`],
    ...[`--hostname=http://127.0.0.1:${port}`, `--db-url=jdbc:postgresql://${host}${pathname}`],
    ...[`--db-username=${username}`, '--db-password=none'],
  ];
};

const isReady = async ({ port }: { readonly port: number }): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${port}/realms/master/.well-known/openid-configuration`)).ok;

const adminToken = async (url: string): Promise<string> => {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...admin });
  const response = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
};

/** Each request has a token of its own: hashing the passwords of a realm may take longer than a token is valid. */
const post = async (url: string, path: string, body: object | string): Promise<unknown> => {
  const [type, text] =
    typeof body === 'string' ? ['application/xml', body] : ['application/json', JSON.stringify(body)];
  const headers = { 'content-type': type, authorization: `Bearer ${await adminToken(url)}` };
  const response = await fetch(`${url}/admin${path}`, { method: 'POST', headers, body: text });
  const answer = await response.text();
  if (!response.ok) throw new Error(`Keycloak answered ${path} with ${response.status}: ${answer}`);
  return answer === '' ? undefined : JSON.parse(answer);
};

/** Starts Keycloak on 127.0.0.1, and installs it before, once on a machine. It ends with this process at the latest. */
export const startKeycloak = async ({ database, heap = [] }: KeycloakOptions): Promise<Keycloak> => {
  const [home, java] = [await installKeycloak(), javaHome()];
  const server = await inNewFolder('keycloak', (folder) =>
    startServerProcess({
      name: 'keycloak',
      command: java === undefined ? 'java' : join(java, 'bin', 'java'),
      args: (port) => [...javaArgs(home, heap), ...serverArgs(database, port)],
      env: { KC_BOOTSTRAP_ADMIN_USERNAME: admin.username, KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password },
      folder,
      startWithinSeconds: 600,
      isReady,
    }),
  );
  const url = `http://127.0.0.1:${server.port}`;
  return Object.assign(server, { url, post: (path: string, body: object | string) => post(url, path, body) });
};
