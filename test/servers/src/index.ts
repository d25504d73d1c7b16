export { type Certified, openAuthority } from './certificates.ts';
export { type CloudKms, type CloudKmsOptions, startCloudKms } from './cloud/cloud-kms.ts';
export { type IamCredentials, startIamCredentials } from './cloud/iam-credentials.ts';
export type { StandIn } from './cloud/stand-in.ts';
export { startVault, type Vault } from './cloud/vault.ts';
export { type DatastoreServer, startDatastore } from './datastore/datastore.ts';
export { acceptsConnections, findFreePort } from './free-port.ts';
export { installed, runProgram } from './installed.ts';
export { javaHome, keycloakVersion } from './keycloak/install.ts';
export { type Keycloak, startKeycloak } from './keycloak/keycloak.ts';
export {
  executeOnMariadb,
  isMariadbInstalled,
  type MariadbOptions,
  type MariadbServer,
  openTestMariadb,
  startMariadb,
  type TestMariadb,
} from './mariadb.ts';
export { type MotoServer, startMoto } from './moto/moto.ts';
export { type NginxServer, startNginx } from './nginx.ts';
export { isPostgresOwn, openTestPostgres } from './open-test-postgres.ts';
export { openTestRedis } from './open-test-redis.ts';
export { ordinaryUser, type User } from './ordinary-user.ts';
export { type PgBouncerOptions, type PgBouncerServer, startPgBouncer } from './pgbouncer.ts';
export { type PostgresOptions, type PostgresServer, startPostgres, type TestPostgres } from './postgres.ts';
export { signalFamily } from './process-family.ts';
export { type ProxyMode, startProxy, type TestProxy } from './proxy.ts';
export { type RedisOptions, type RedisServer, startRedis } from './redis.ts';
export { type ClusterNode, type RedisCluster, type RedisClusterOptions, startRedisCluster } from './redis-cluster.ts';
export { type SentinelRedis, startRedisSentinel } from './redis-sentinel.ts';
export { type RegistryOptions, startRegistry, type TestRegistry } from './registry.ts';
export { runScimTester } from './scim-tester.ts';
export { type SignedIn, signInAtPages } from './sign-in.ts';
export type { SlapdOptions } from './slapd/configuration.ts';
export { type SlapdServer, startSlapd } from './slapd/slapd.ts';
export type { SlapdUser } from './slapd/users.ts';
export { type HsmKey, type SoftHsm, startSoftHsm } from './softhsm/softhsm.ts';
export { waitUntil } from './wait-until.ts';
