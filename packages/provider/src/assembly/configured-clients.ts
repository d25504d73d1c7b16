import type { ClientRecord } from '../clients/client-record.ts';
import { warningsOf } from '../clients/client-warnings.ts';
import { CarnetError, ConfigError } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Oidc } from './create-oidc.ts';

export interface CheckConfiguredClientsDependencies {
  readonly oidc: Pick<Oidc, 'validateConfiguredClient'>;
  readonly logger: Pick<Logger, 'warn'>;
}

const nameOf = ({ id, metadata }: ClientRecord): string => `${metadata.configuration_key} of ${JSON.stringify(id)}`;

/**
 * Checks the clients of the configuration by the rules that depend on the enabled features. Logs a warning for each part of
 * one that has no effect.
 *
 * @throws ConfigError with the problem of every client that has one
 */
export const checkConfiguredClients = async (
  records: readonly ClientRecord[],
  { oidc, logger }: CheckConfiguredClientsDependencies,
): Promise<void> => {
  const problems: string[] = [];
  for (const record of records) {
    await oidc.validateConfiguredClient(record).catch((error: unknown) => {
      if (!(error instanceof CarnetError && error.code === 'invalid_client_metadata')) throw error;
      problems.push(`${nameOf(record)}: ${error.description.replace(/^Field /, '')}`);
    });
    for (const warning of warningsOf(record.metadata))
      logger.warn({ warning: `${nameOf(record)}: ${warning}` }, 'client');
  }
  if (problems.length > 0) throw new ConfigError(problems);
};
