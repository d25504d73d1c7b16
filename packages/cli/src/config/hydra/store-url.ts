import type { Converted } from './conversions.ts';

/** Parameters of Hydra's pool, in the query of its DSN. */
const poolParameters = ['max_conns', 'max_idle_conns', 'max_conn_lifetime', 'max_conn_idle_time'];

const postgres = (dsn: string): Converted => {
  const [base = '', query = ''] = dsn.replace(/^(?:cockroach|postgresql):/, 'postgres:').split('?');
  const parameters = new URLSearchParams(query);
  const leftOut = poolParameters.filter((name) => parameters.has(name));
  for (const name of leftOut) parameters.delete(name);
  const notes = [
    ...(dsn.startsWith('cockroach:') ? ['names CockroachDB: only Postgres is tested'] : []),
    ...(leftOut.length > 0 ? [`loses ${leftOut.join(', ')}: add \`pool=\`, the connections of each process (10)`] : []),
  ];
  return {
    value: parameters.size === 0 ? base : `${base}?${parameters}`,
    ...(notes.length > 0 && { note: notes.join('; ') }),
  };
};

const unsupported: Converted = {
  note: 'names a database that Carnet does not support: choose sqlite:, postgres:, mysql: or redis:',
};

const sqlite = (dsn: string): Converted => {
  const [path = ''] = dsn.replace(/^sqlite3?:(?:\/\/)?/, '').split('?');
  if (path === '' || path === ':memory:')
    return { value: 'memory:', note: 'loses all data at exit: accepted with `--dev` only' };
  return { value: `sqlite:${path}` };
};

/** Hydra hands the rest to Go's driver, which takes user and password as they are. */
const mysql = (dsn: string): Converted => {
  const [, user, password = '', host, database, query = ''] =
    /^mysql:\/\/([^:@/]*)(?::(.*))?@tcp\(([^()]+)\)\/([^?]*)(?:\?(.*))?$/s.exec(dsn) ?? [];
  if (user === undefined || host === undefined || !database) return unsupported;
  const parameters = new URLSearchParams(query);
  const tls = parameters.get('tls') === 'true' ? '?tls=true' : '';
  const leftOut = [...new Set(parameters.keys())].filter((name) => name !== 'tls' || tls === '');
  const value = `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}/${database}${tls}`;
  return { value, ...(leftOut.length > 0 && { note: `loses ${leftOut.join(', ')}: they are of another driver` }) };
};

/** Carnet's URL of the store that a DSN of Hydra names. */
export const storeUrl = (value: unknown): Converted => {
  const dsn = String(value);
  if (dsn === 'memory') return { value: 'memory:', note: 'loses all data at exit: accepted with `--dev` only' };
  if (/^(?:postgres|postgresql|cockroach):/.test(dsn)) return postgres(dsn);
  if (/^sqlite3?:/.test(dsn)) return sqlite(dsn);
  if (/^mysql:/.test(dsn)) return mysql(dsn);
  return unsupported;
};
