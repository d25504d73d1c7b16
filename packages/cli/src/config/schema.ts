import type { AccountsConfig } from '@carnet/accounts/config';
import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import { durationSchema, section, wholeNumberSchema } from '@carnet/adapter-contract/settings';
import type { EventsConfig } from '@carnet/events/config';
import type { Limits } from '@carnet/issuers/config';
import { type Completed, type Config, configSchema, type Layout, rule } from '@carnet/provider/config';
import { z } from 'zod';
import {
  accountsConfig,
  eventsConfig,
  issuersConfig,
  missingPackages,
  notInstalled,
  type OptionalSections,
  packagesOf,
} from '../load-package.ts';
import {
  consoleSchema,
  fillConsole,
  hasNoOperators,
  isDecidedByCustomers,
  needsConsoleUrl,
  prometheusProblem,
} from './console-section.ts';

const hostSchema = z
  .string({ error: 'must be an IP address or host name to listen on' })
  .regex(/^[\w.:%-]+$/, 'must be an IP address or host name to listen on, without a port');

/** 0 lets the system choose, for tests. */
const portSchema = wholeNumberSchema(0, 65_535);

/** In place of a section, if its package is not installed. */
const without = <Section>(section: keyof OptionalSections, description: string) =>
  z
    .custom<Section>(() => false, {
      error: ({ input }) => notInstalled(missingPackages(packagesOf({ [section]: input }))),
    })
    .optional()
    .describe(description);

const withoutAccounts = without<AccountsConfig>(
  'accounts',
  'The users. This section needs the package `@carnet/accounts`.',
);
const withoutEvents = without<EventsConfig>(
  'events',
  'Events and webhooks. This section needs the package `@carnet/events`.',
);

const withoutIssuers = without<Readonly<Record<string, unknown>>>(
  'issuers',
  'Further issuers. This section needs the package `@carnet/issuers`.',
);
const withoutLimits = without<Limits>(
  'limits',
  'The limits of each issuer. This section needs the package `@carnet/issuers`.',
);

const { dev, issuer, admin, http, outbound, ...others } = configSchema.shape;

/** The keys of the library, and those that only the command reads: it opens ports and starts processes. */
export const commandSchema = z.strictObject({
  dev,
  issuer,
  public: section({
    host: hostSchema
      .optional()
      .describe('The address that the public listener binds to. Default: 0.0.0.0, or 127.0.0.1 in dev mode.'),
    port: portSchema.default(4444).describe('The port of the public listener.'),
  }),
  admin: section({
    host: hostSchema
      .default('127.0.0.1')
      .describe('The address that the admin listener binds to. Any address but loopback requires a token.'),
    port: portSchema.default(4445).describe('The port of the admin listener.'),
    ...admin.unwrap().shape,
  }),
  http: section({
    ...http.unwrap().shape,
    shutdownSeconds: durationSchema(0, 600)
      .default(10)
      .describe(
        'The time that requests in progress may take after SIGTERM before their connections are closed. Carnet answers new requests during the first second, or during the first half of a shorter time.',
      ),
  }),
  outbound,
  workers: wholeNumberSchema(1, 256).default(1).describe('The number of processes that serve requests.'),
  ...others,
  accounts: accountsConfig?.accountsSchema ?? withoutAccounts,
  events: eventsConfig?.eventsSchema ?? withoutEvents,
  console: consoleSchema,
  issuers: issuersConfig?.issuersSchema ?? withoutIssuers,
  limits: issuersConfig?.limitsSchema ?? withoutLimits,
  metrics: section({
    host: hostSchema.default('127.0.0.1').describe('The address that the listener for metrics binds to.'),
    port: portSchema
      .optional()
      .describe('The port of a listener for `GET /metrics` alone, without a token. Default: no such listener.'),
  }),
});

export type CommandDraft = z.output<typeof commandSchema>;

/** The configuration of a process of the command. */
export type CommandConfig = Completed<CommandDraft> & { readonly public: { readonly host: string } };

const portOf = (url: string | undefined): string => (url !== undefined && URL.canParse(url) ? new URL(url).port : '');

/** The rules between the keys of the command. */
export const commandLayout: Layout<CommandDraft> = {
  schema: commandSchema,
  fill: (draft, isInvalid) => {
    fillConsole(draft);
    draft.public.host ??= draft.dev ? '127.0.0.1' : '0.0.0.0';
    if (draft.dev && !isInvalid('issuer')) draft.issuer ??= `http://127.0.0.1:${draft.public.port || 4444}`;
  },
  rules: [
    ...(accountsConfig?.accountsRules ?? []),
    ...(eventsConfig?.eventsRules ?? []),
    rule(
      'console.access',
      hasNoOperators,
      'gives no user a role. List values of the claim in console.access.operator (CONSOLE_ACCESS_OPERATOR), such as a group.',
    ),
    rule(
      'console.url',
      needsConsoleUrl,
      'is needed for an admin listener off loopback. Set CONSOLE_URL to the address that operators open.',
    ),
    rule(
      'console.prometheus',
      (draft) => prometheusProblem(draft) !== undefined,
      (draft) => prometheusProblem(draft) ?? '',
    ),
    rule(
      'workers',
      ({ workers, storage }) =>
        workers > 1 && Object.values(storage).some((url) => typeof url === 'string' && url.startsWith('memory:')),
      'memory: cannot be shared by several processes. Use one worker, or another store.',
    ),
    rule(
      'admin.host',
      ({ admin: { host, token, tokens } }) => !isLoopbackHost(host) && token === undefined && tokens.length === 0,
      'an admin listener off loopback needs a token. Set ADMIN_TOKEN to at least 16 characters, or ADMIN_HOST to 127.0.0.1.',
    ),
    rule(
      'admin.port',
      (draft) => draft.admin.port === draft.public.port && draft.admin.port !== 0,
      'is also the public port. Set another port for the admin listener.',
    ),
    rule(
      'metrics.port',
      ({ metrics: { port }, admin, public: { port: publicPort } }) =>
        port !== 0 && (port === admin.port || port === publicPort),
      'is also the port of another listener. Set another port for the metrics.',
    ),
    rule(
      'console.access.directories',
      isDecidedByCustomers,
      'is required, because organizations have directories or providers: the administrators of these decide about the claims of their users, and could make them operators. Name the directories of your own colleagues.',
    ),
  ],
  cautions: [
    ...(accountsConfig?.accountsCautions ?? []),
    rule(
      'limits.requestsPerSecond',
      ({ dev, issuers = {}, limits }) =>
        !dev && Object.keys(issuers).length > 0 && limits?.requestsPerSecond === undefined,
      'is not set: a flood of requests to one issuer slows all others. Set it, for all issuers or for each.',
    ),
    rule(
      'public.port',
      ({ dev, issuer, public: { port } }) => dev && port !== 0 && portOf(issuer) !== String(port),
      ({ issuer }) =>
        `is not the port of the issuer, ${issuer}: clients cannot reach this listener. Set both to the same port.`,
    ),
  ],
};

/** The configuration for `createProvider`, which refuses the keys of the command. */
export const libraryConfig = ({
  public: _public,
  workers: _workers,
  metrics: _metrics,
  console: _console,
  issuers: _issuers,
  limits: _limits,
  admin: { host: _host, port: _port, ...admin },
  http: { shutdownSeconds: _shutdownSeconds, ...http },
  ...others
}: CommandConfig): Config => ({ ...others, admin, http });
