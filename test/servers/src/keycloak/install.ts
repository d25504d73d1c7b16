import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installed, runProgram } from '../installed.ts';

export const keycloakVersion = '26.7.3';
const artifact = 'keycloak-quarkus-dist';

/** Keycloak 26 needs Java 21 or later; `java` of Debian 12 is 17. */
const javaHomes = ['/usr/lib/jvm/temurin-25-jdk-amd64', '/usr/lib/jvm/java-21-openjdk-amd64'];

/** The folder of Java; undefined for `java` on PATH. */
export const javaHome = (): string | undefined =>
  process.env.KEYCLOAK_JAVA_HOME ?? javaHomes.find((folder) => existsSync(folder));

/** Options that `kc.sh build` fixes: one node, whose caches are local, on Postgres. */
const built = ['--db=postgres', '--cache=local'];

/** Unpacks the distribution that Maven Central serves, and builds it for Postgres. @returns its home */
export const installKeycloak = async (): Promise<string> => {
  const home = javaHome();
  const unpacked = `keycloak-${keycloakVersion}`;
  const folder = await installed(unpacked, async (cwd) => {
    const source = `-Dartifact=org.keycloak:${artifact}:${keycloakVersion}:zip`;
    await runProgram('mvn', ['-B', '-q', 'dependency:copy', source, `-DoutputDirectory=${cwd}`], { cwd });
    await runProgram('unzip', ['-q', `${artifact}-${keycloakVersion}.zip`], { cwd });
    const env: Readonly<Record<string, string>> = home === undefined ? {} : { JAVA_HOME: home };
    await runProgram('sh', [join(cwd, unpacked, 'bin', 'kc.sh'), 'build', ...built], { cwd, env });
  });
  return join(folder, unpacked);
};
