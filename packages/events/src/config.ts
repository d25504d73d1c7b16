/** `@carnet/events/config`: the section `events` of a configuration. It opens nothing. */
import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import { durationSchema, httpUrlSchema, matchingSchema } from '@carnet/adapter-contract/settings';
import { z } from 'zod';
import { typePatterns } from './types/event-types.ts';
import { secretBytes, splitSecrets } from './webhooks/sign.ts';

export { type EventType, eventTypes } from './types/event-types.ts';
export { commonMembers, eventMembers } from './types/members.ts';

const typesMessage = 'must be types of events such as "user.created", or "user.*"';

const types = z
  .array(
    z.string().refine((pattern) => typePatterns.has(pattern), typesMessage),
    { error: typesMessage },
  )
  .min(1, 'must not be empty');

const webhook = z.strictObject({
  name: matchingSchema(
    /^[a-z][a-z0-9-]{0,31}$/,
    'must be lower-case letters, digits and hyphens, at most 32, and begin with a letter',
  ).describe('The name of the webhook. Its state is stored with it: a webhook with another name gets new events only.'),
  url: httpUrlSchema
    .describe(
      'Where its events are sent. It must be https, unless it is on this machine. Outside of dev mode, a host without a public address must be in `outbound.allow`.',
    )
    .meta({ secret: 'url' }),
  secret: z
    .string({ error: 'must be text' })
    .refine(
      (text) => splitSecrets(text).length > 0 && splitSecrets(text).every((each) => secretBytes(each) !== undefined),
      'must be `whsec_` and 24 to 64 random bytes in base64: `echo whsec_$(openssl rand -base64 32)` makes one',
    )
    .describe(
      'The secret that signs its events. While it is replaced, the new and the old one, separated by a comma. Prefer the environment variable `EVENTS_WEBHOOK_<NAME>_SECRET`.',
    )
    .meta({ secret: 'text' }),
  types: types
    .optional()
    .describe(
      'The types of its events. Default: all but those of refused requests, whose names end in `refused` or `denied`. `*` is every type.',
    ),
});

export const eventsSchema = z
  .strictObject({
    retention: durationSchema(3_600, 34_560_000)
      .default(2_592_000)
      .describe(
        'How long events are kept in the store, from 1 hour to 400 days. Default: 30 days. A webhook that does not answer gets the events of this time later. With less than 4 days, an event may expire before its last attempt.',
      ),
    types: types.default(['*']).describe('The types of events that are kept, and sent to webhooks. Default: all.'),
    webhooks: z
      .array(webhook, { error: 'must be a list of webhooks' })
      .refine(
        (list) => new Set(list.map(({ name }) => name)).size === list.length,
        'must not have two webhooks with one name',
      )
      .default([])
      .describe('The URLs that events are sent to, signed as Standard Webhooks.')
      .meta({ secret: 'members' }),
  })
  .optional()
  .describe('Events for administrators and other programs. This section needs the package `@carnet/events`.');

/** The parsed section. */
export type EventsConfig = NonNullable<z.output<typeof eventsSchema>>;

/** A rule between keys of the configuration. */
interface EventsRule {
  readonly key: string;
  /** The problem and the remedy. False: none. */
  readonly check: (draft: { readonly dev: boolean; readonly events?: EventsConfig | undefined }) => string | false;
}

const isSafe = (text: string): boolean => {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopbackHost(hostname);
};

/** The rules of the section `events`. */
export const eventsRules: readonly EventsRule[] = [
  {
    key: 'events.webhooks',
    check: ({ dev, events }) => {
      const unsafe = dev ? undefined : events?.webhooks.find(({ url }) => !isSafe(url));
      return (
        unsafe !== undefined &&
        `webhook ${unsafe.name}: its url must be https, because events name users. http is accepted on this machine, and in dev mode.`
      );
    },
  },
];
