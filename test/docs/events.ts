import { commonMembers, type EventType, eventMembers, eventTypes } from '@carnet/events/config';

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const typeRow = ([type, { summary, members }]: [string, EventType]): string =>
  `| \`${type}\` | ${summary} | ${code(members)} |`;

const memberRow = ([name, schema]: [string, (typeof eventMembers)[keyof typeof eventMembers]]): string =>
  `| \`${name}\` | ${schema.description} |`;

/** docs/reference/events.md, from the types of events. */
export const eventsDocs = (): string => `# Types of events

<!-- Generated from the types of events by \`npm run setup\`. -->

[Events and webhooks](../guides/events-and-webhooks.md) explains how to read and receive them. Each event has these members:

| member | content |
| --- | --- |
| \`id\` | unique; \`webhook-id\` of a webhook |
| \`type\` | one of the types below |
| \`timestamp\` | when it happened (RFC 3339, UTC) |
| \`data\` | the members below |

A type is never removed, and a member keeps its meaning. New types, and new members of \`data\`, may be added: ignore those that you
do not know. An event has ids, names and reasons only. It has no secret, authorization code, one-time code, token, claim or email
address.

\`login.*\` describes the login request of a client. \`sign_in.*\` describes the steps in which the section \`accounts\` checks a user:
password, second factor, passkey, provider. If your own login page checks users, there is no \`sign_in.*\`.

## Types

Each type may have ${code(commonMembers)} besides its own members.

| type | when | members of \`data\` |
| --- | --- | --- |
${Object.entries(eventTypes).map(typeRow).join('\n')}

## Members

| member | content |
| --- | --- |
${Object.entries(eventMembers).map(memberRow).join('\n')}
`;
