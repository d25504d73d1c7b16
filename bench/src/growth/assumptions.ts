import type { Assumptions, Limits, Mix } from './forecast.ts';

/** For each completed login. Change it for another application. */
const mix: Mix = {
  login: 0.45,
  'login-remember': 0.05,
  'login-returning': 0.5,
  abandoned: 0.3,
  refresh: 1,
  introspection: 5,
  'client-credentials': 0.1,
};

/** A large but ordinary server for the primary of Postgres. */
const limits: Limits = {
  diskBytes: 8e12,
  walBytesPerSecond: 250e6,
  postgresCores: 48,
  connections: 1_000,
};

export const assumptions: Omit<Assumptions, 'loginsPerMonth'> = {
  peakFactor: 3,
  mix,
  deadShare: 0.02,
  busyShare: 0.6,
  poolSize: 10,
  limits,
};

/** The default of Postgres: a vacuum begins when a fifth of the rows was removed. */
export const defaultDeadShare = 0.2;

/** About what the default cost limits of autovacuum allow while it changes most pages that it reads. */
export const vacuumBytesPerSecond = 40e6;
/** With `autovacuum_vacuum_cost_delay = 0` on disks for such a database. */
export const fastVacuumBytesPerSecond = 400e6;
