import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '@carnet/test-servers';
import { startStore } from '../../targets/stores.ts';
import type { RunningTarget } from '../../targets/target.ts';
import { installed, runProgram } from '../installed.ts';
import { startPeerProcess } from '../peer-process.ts';
import { realms, representationOf } from './realm.ts';

const version = '26.7.3';
const artifact = 'keycloak-quarkus-dist';

/** Keycloak 26 needs Java 21 or later; `java` of Debian 12 is 17. */
const javaHomes = ['/usr/lib/jvm/temurin-25-jdk-amd64', '/usr/lib/jvm/java-21-openjdk-amd64'];
const java = (): Readonly<Record<string, string>> => {
  const home = process.env.KEYCLOAK_JAVA_HOME ?? javaHomes.find((folder) => existsSync(folder));
  return home === undefined ? {} : { JAVA_HOME: home };
};

const script = (folder: string): string => join(folder, `keycloak-${version}`, 'bin', 'kc.sh');

/** Options that `kc.sh build` fixes: one node, whose caches are local, on Postgres. */
const built = ['--db=postgres', '--cache=local'];

/** Unpacks the distribution that Maven Central serves, and builds it for Postgres. */
const install = (): Promise<string> =>
  installed(`keycloak-${version}`, async (cwd) => {
    const copy = ['dependency:copy', `-Dartifact=org.keycloak:${artifact}:${version}:zip`, `-DoutputDirectory=${cwd}`];
    await runProgram('mvn', ['-B', '-q', ...copy], { cwd });
    await runProgram('unzip', ['-q', `${artifact}-${version}.zip`], { cwd });
    await runProgram('sh', [script(cwd), 'build', ...built], { cwd, env: java() });
  });

const admin = { username: 'admin', password: 'the admin of the bench' };

const adminToken = async (publicUrl: string): Promise<string> => {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...admin });
  const response = await fetch(`${publicUrl}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
};

/**
 * Creates the realms by the admin API. Each request has an admin token of its own: hashing the passwords of a realm may take longer
 * than a token is valid.
 */
const createRealms = async (publicUrl: string): Promise<void> => {
  for (const realm of realms) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await adminToken(publicUrl)}` };
    const body = JSON.stringify(representationOf(realm));
    const response = await fetch(`${publicUrl}/admin/realms`, { method: 'POST', headers, body });
    if (response.status !== 201) throw new Error(`no realm was created: ${response.status} ${await response.text()}`);
  }
};

/** By default Keycloak would begin with half of the memory of the machine. */
const heap = '-Xms1g -Xmx1g';

/** Keycloak on Postgres. */
export const startKeycloak = async (): Promise<RunningTarget> => {
  const folder = await install();
  const store = await startStore('postgres');
  const { host, pathname, username } = new URL(store.url);
  const port = await findFreePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const { processId, stop } = await startPeerProcess({
    name: 'keycloak',
    command: 'sh',
    args: [script(folder), 'start', '--optimized'],
    env: {
      ...java(),
      JAVA_OPTS_KC_HEAP: heap,
      KC_BOOTSTRAP_ADMIN_USERNAME: admin.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
      KC_DB_URL: `jdbc:postgresql://${host}${pathname}`,
      KC_DB_USERNAME: username,
      KC_DB_PASSWORD: 'none',
      KC_HOSTNAME: publicUrl,
      KC_HTTP_ENABLED: 'true',
      KC_HTTP_HOST: '127.0.0.1',
      KC_HTTP_PORT: String(port),
    },
    readyUrl: `${publicUrl}/realms/master/.well-known/openid-configuration`,
  });
  await createRealms(publicUrl);
  return {
    name: 'keycloak',
    publicUrl,
    adminUrl: publicUrl,
    processIds: [processId],
    storeProcessIds: store.processIds,
    settings: { version, store: store.version, durability: store.durability, heap, ...java() },
    stop: async () => {
      await stop();
      await store.stop();
    },
  };
};
