import type { Api } from '../api.ts';
import { createClients } from '../clients/manage-clients.ts';
import { createRegistrationTokens } from '../clients/registration-tokens.ts';
import { scopeMatches } from '../clients/scope-match.ts';
import { createSubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { createConsents } from '../consents/consents.ts';
import { createRedemptions } from '../flow/redemptions.ts';
import { createKeySets } from '../keys/sets/key-sets.ts';
import { createKeys } from '../keys/sets/manage-keys.ts';
import { registrationUriOf } from '../registration/create-registration.ts';
import { createRequests } from '../requests/create-requests.ts';
import { createSessions } from '../sessions/revoke-sessions.ts';
import type { Audit, AuditEvent } from '../telemetry/audit.ts';
import { createTokens } from '../tokens/manage-tokens.ts';
import { createTrustedIssuers } from '../trust/trusted-issuers.ts';
import { createRefuse, type RefuseOptions } from '../validation.ts';
import type { Foundation } from './foundation.ts';
import type { Parts } from './oidc.ts';

/** The sessions and consents of users. */
export const createUserApi = (
  { config, adapter, now }: Foundation,
  { clients, deliveries }: Pick<Parts, 'clients' | 'deliveries'>,
  refuse = createRefuse({}),
): Pick<Api, 'sessions' | 'consents'> => {
  const redemptions = createRedemptions({ ttl: config.ttl, now });
  return {
    sessions: createSessions({ adapter, clients, deliveries, refuse, now }),
    consents: createConsents({ issuer: config.issuer, adapter, clients, redemptions, refuse }),
  };
};

/** The functions of the API. `naming` is for callers that know members by other names. */
export const createApi = (base: Foundation, parts: Parts, naming: RefuseOptions = {}): Api => {
  const { config, adapter, flow, outbound, vault, signingKeys, telemetry, now } = base;
  const { clients, oidc } = parts;
  const { rar, device } = config.features;
  const refuse = createRefuse(naming);
  return {
    requests: createRequests(
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
    ),
    clients: createClients({
      clients,
      registrationUri: registrationUriOf(config.issuer),
      validateMetadata: (metadata) => oidc().validateClient({ id: metadata.client_id, metadata }),
      bcryptCost: config.clientSecrets.bcryptCost,
      now,
    }),
    tokens: createTokens({
      introspect: (token, options) => oidc().introspect(token, options),
      jwts: { open: (jwt) => oidc().openAccessToken(jwt) },
      clients,
      adapter,
      redemptions: createRedemptions({ ttl: config.ttl, now }),
      keyRing: flow.keyRing,
    }),
    ...createUserApi(base, parts, refuse),
    keys: createKeys({ keySets: createKeySets({ adapter, vault, now }), signingKeys, refuse }),
    trustedIssuers: createTrustedIssuers({ adapter, naming, now }),
    registrationTokens: createRegistrationTokens({ adapter, refuse, now }),
    accounts: parts.accounts?.api,
    users: parts.accounts?.users,
    groups: parts.accounts?.groups,
    events: base.events?.api,
  };
};

type Call<Args extends readonly unknown[], Result> = (...args: Args) => Promise<Result>;
type About = Pick<AuditEvent, 'clientId' | 'keySet' | 'kid' | 'subject'>;

const aboutUser = (which: object): About =>
  'subject' in which && typeof which.subject === 'string' ? { subject: which.subject } : {};
const aboutClient = (clientId: string): About => ({ clientId });
const aboutKey = (keySet: string, kid?: unknown): About => ({ keySet, ...(typeof kid === 'string' && { kid }) });

/** The same functions for the app: its changes leave the audit records that changes over HTTP leave. */
export const withAudit = (api: Api, audit: Audit): Api => {
  const audited =
    <Args extends readonly unknown[], Result>(
      action: AuditEvent['action'],
      call: Call<Args, Result>,
      about: (...args: Args) => About = () => ({}),
      aboutResult: (result: Result) => About = () => ({}),
    ): Call<Args, Result> =>
    async (...args) => {
      const event = { action, byAdmin: true, ...about(...args) } as const;
      try {
        const result = await call(...args);
        audit({ ...event, outcome: 'success', ...aboutResult(result) });
        return result;
      } catch (error) {
        audit({ ...event, outcome: 'denied' });
        throw error;
      }
    };

  const { clients, sessions, consents, keys, events } = api;
  return {
    ...api,
    clients: {
      ...clients,
      create: audited('client.create', clients.create, undefined, (made) => aboutClient(made.client_id)),
      replace: audited('client.replace', clients.replace, aboutClient),
      update: audited('client.patch', clients.update, aboutClient),
      patch: audited('client.patch', clients.patch, aboutClient),
      delete: audited('client.delete', clients.delete, aboutClient),
      setLifespans: audited('client.lifespans', clients.setLifespans, aboutClient),
      rotateSecret: audited('client.rotate_secret', clients.rotateSecret, aboutClient),
      revokeRotatedSecrets: audited('client.forget_secrets', clients.revokeRotatedSecrets, aboutClient),
    },
    sessions: { ...sessions, revoke: audited('session.revoke', sessions.revoke, aboutUser) },
    consents: { ...consents, revoke: audited('consent.revoke', consents.revoke, aboutUser) },
    keys: {
      ...keys,
      generate: audited('key.create', keys.generate, aboutKey),
      put: audited('key.set', keys.put, aboutKey),
      replace: audited('key.set_all', keys.replace, aboutKey),
      delete: audited('key.delete', keys.delete, aboutKey),
      deleteSet: audited('key.delete_all', keys.deleteSet, aboutKey),
    },
    events: events && {
      ...events,
      webhooks: { ...events.webhooks, retry: audited('webhook.retry', events.webhooks.retry) },
    },
  };
};
