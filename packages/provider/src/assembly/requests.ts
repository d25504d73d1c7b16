import { scopeMatches } from '../clients/scope-match.ts';
import { createSubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { createRequests, type Requests } from '../requests/create-requests.ts';
import type { RefuseOptions } from '../validation.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './parts.ts';

/** The requests that pages answer, with the rules of the configuration. */
export const createConfiguredRequests = (
  { config, adapter, telemetry, now }: Foundation,
  { flow, clients, outbound }: Pick<Parts, 'flow' | 'clients' | 'outbound'>,
  naming?: RefuseOptions,
): Requests => {
  const { rar, device } = config.features;
  return createRequests(
    {
      ...flow,
      issuer: config.issuer,
      clients,
      scopeMatch: scopeMatches[config.tokens.scopeStrategy],
      detailTypes: rar.enabled ? rar.types : {},
      adapter,
      outbound,
      subjects: createSubjectIdentifiers({ ...config.oidc.subjectIdentifiers, outbound }),
      audit: telemetry.audit,
      device,
      now,
    },
    naming,
  );
};
