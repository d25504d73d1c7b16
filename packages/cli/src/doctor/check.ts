import type { Config } from '@carnet/provider/config';

/** The result of a check. `remedy` says what to change; undefined for `ok`. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly remedy?: string;
}

export interface CheckContext {
  readonly config: Config;
  /** Undefined: the first issuer. */
  readonly issuerName: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** One subject of `carnet doctor`. It changes nothing, and ends within seconds. */
export interface Check {
  readonly name: string;
  run(context: CheckContext): Promise<readonly Finding[]>;
}

export const ok = (what: string): Finding => ({ level: 'ok', what });
export const warn = (what: string, remedy: string): Finding => ({ level: 'warn', what, remedy });
export const fail = (what: string, remedy: string): Finding => ({ level: 'fail', what, remedy });
