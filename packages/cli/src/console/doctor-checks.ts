import type { Check } from '@carnet/console';
import type { CommandConfig } from '../config/schema.ts';
import type { Finding } from '../doctor/check.ts';
import { runChecks } from '../doctor/doctor.ts';

const results = { ok: 'ok', warn: 'warning', fail: 'problem' } as const;

/** The checks call other servers: their results are kept for five minutes. */
const keptMs = 300_000;

/** The finding, and what to change in a sentence of its own. */
export const messageOf = ({ what, remedy }: Pick<Finding, 'what' | 'remedy'>): string =>
  remedy === undefined ? what : `${what.replace(/\.$/, '')}. ${remedy}`;

/**
 * The findings of `carnet doctor` for this configuration. Concurrent calls share one run.
 *
 * @param issuerName which of several issuers it is; undefined: the first one
 */
export const createDoctorChecks = (config: CommandConfig, issuerName?: string, now: () => number = Date.now) => {
  let last: { readonly at: number; readonly checks: Promise<readonly Check[]> } | undefined;
  const run = async (): Promise<readonly Check[]> => {
    const found = await runChecks({ config, issuerName, now });
    return found.map((finding) => ({
      name: finding.name,
      result: results[finding.level],
      message: messageOf(finding),
    }));
  };
  return (): Promise<readonly Check[]> => {
    if (last === undefined || now() - last.at >= keptMs) last = { at: now(), checks: run() };
    return last.checks;
  };
};
