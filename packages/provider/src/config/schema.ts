// biome-ignore lint/suspicious/noTsIgnore: the package exists here, so that @ts-expect-error would fail
/** @ts-ignore An app without accounts does not install this optional peer, and compiles without skipLibCheck. */
import type { AccountsConfig, accountsCautions, accountsRules, accountsSchema } from '@carnet/accounts/config';
import { flagSchema, section } from '@carnet/adapter-contract/settings';
// biome-ignore lint/suspicious/noTsIgnore: the package exists here, so that @ts-expect-error would fail
/** @ts-ignore An optional peer, as above. */
import type { EventsConfig, eventsRules, eventsSchema } from '@carnet/events/config';
import { z } from 'zod';
import { adminSchema } from '../admin/config.ts';
import { clientCacheSchema, clientSecretsSchema } from '../clients/config.ts';
import { clientsSchema } from '../clients/configured/config.ts';
import { secretsSchema } from '../flow/config.ts';
import { hooksSchema } from '../hooks/config.ts';
import { httpSchema } from '../http/config.ts';
import { keysSchema } from '../keys/config.ts';
import {
  discoverySchema,
  issuerSchema,
  pkceSchema,
  profileSchema,
  resourcesSchema,
  subjectIdentifiersSchema,
  supportedAcrValuesSchema,
  supportedClaimsSchema,
  supportedScopesSchema,
  tokensSchema,
  ttlSchema,
  urlsSchema,
  userinfoSchema,
} from '../library/config.ts';
import { featuresSchema } from '../library/features/config.ts';
import { outboundSchema } from '../outbound/config.ts';
import { dynamicClientRegistrationSchema } from '../registration/config.ts';
import { logoutSchema } from '../sessions/config.ts';
import { type StorageConfig, storageSchema } from '../storage/config.ts';
import { logSchema } from '../telemetry/config.ts';

/** The part of `@carnet/accounts` that checks the section `accounts`. */
export interface AccountsSection {
  readonly accountsSchema: typeof accountsSchema;
  readonly accountsRules: typeof accountsRules;
  readonly accountsCautions: typeof accountsCautions;
}

/** The part of `@carnet/events` that checks the section `events`. */
export interface EventsSection {
  readonly eventsSchema: typeof eventsSchema;
  readonly eventsRules: typeof eventsRules;
}

/** A section belongs to an optional package: `layoutWith` adds its schema. */
const readBy = <Section>(name: string) =>
  z
    .custom<Section>(
      () => false,
      `is read by ${name}. Pass the configuration to createProvider, which loads that package.`,
    )
    .optional();

/** Everything that can be configured: each folder's schema under its key. The `carnet` command adds keys of its own. */
export const configSchema = z.strictObject({
  dev: flagSchema
    .default(false)
    .describe(
      'Development mode: Carnet generates missing secrets and keys, and uses default URLs and a default store.',
    ),
  issuer: issuerSchema,
  admin: adminSchema,
  http: httpSchema,
  outbound: outboundSchema,
  storage: storageSchema,
  secrets: secretsSchema,
  urls: urlsSchema,
  ttl: ttlSchema,
  tokens: tokensSchema,
  pkce: pkceSchema,
  oidc: section({
    subjectIdentifiers: subjectIdentifiersSchema,
    profile: profileSchema,
    discovery: discoverySchema,
    userinfo: userinfoSchema,
    supportedAcrValues: supportedAcrValuesSchema,
    supportedClaims: supportedClaimsSchema,
    supportedScopes: supportedScopesSchema,
    dynamicClientRegistration: dynamicClientRegistrationSchema,
  }),
  logout: logoutSchema,
  resources: resourcesSchema,
  hooks: hooksSchema,
  features: featuresSchema,
  keys: keysSchema,
  clients: clientsSchema,
  clientSecrets: clientSecretsSchema,
  clientCache: clientCacheSchema,
  accounts: readBy<AccountsConfig>('@carnet/accounts'),
  events: readBy<EventsConfig>('@carnet/events'),
  log: logSchema,
});

/** Parsed, with defaults, but before the rules between keys have been applied. */
export type Draft = z.output<typeof configSchema>;

type Filled<Section, Key extends keyof Section> = Section & { [K in Key]-?: NonNullable<Section[K]> };

/** A configuration that has been found complete and safe. Plain data: it can be sent to another process. */
export type Config = Completed<Draft>;

/** A draft, possibly with more keys than those of the library, in which every required key is set. */
export type Completed<Given extends Draft> = Filled<Given, 'issuer'> & {
  readonly storage: StorageConfig;
  readonly secrets: Filled<Draft['secrets'], 'system'>;
  readonly urls: Filled<Draft['urls'], 'login' | 'consent'>;
};
