import { httpUrlSchema, matchingSchema, section } from '@carnet/adapter-contract/settings';
import { z } from 'zod';
import { policies } from '../second-factors/policy/settings.ts';
import { domains, texts } from './providers.ts';

const text = z.string({ error: 'must be text' }).min(1, 'must not be empty');

const color = matchingSchema(/^#[0-9a-f]{6}$/i, 'must be a color such as "#14614c"').optional();

const brand = section({
  logo: httpUrlSchema
    .optional()
    .describe('The https URL of the logo. The browser loads it, and the bundled pages name its host in their policy.'),
  color: color.describe('The color of buttons and links, on light pages.'),
  colorDark: color.describe('The color on dark pages. Default: one that follows from `color`.'),
});

const organization = z.strictObject({
  name: matchingSchema(
    /^[a-z][a-z0-9-]{0,31}$/,
    'must be lower-case letters, digits and hyphens, at most 32, and begin with a letter',
  ).describe(
    'The id of the organization: the value of the claim and of the parameter `organization`. Never change it.',
  ),
  displayName: text.describe('The name that pages show.'),
  domains: domains.describe(
    'Domains of email addresses. A login name of such a domain leads to the sign-in of this organization, and its password is not sent to directories of other organizations.',
  ),
  directories: texts('directories').describe(
    'The names of directories, whose users are all members. With the parameter `organization`, only they are asked for passwords. If `members.groups` lists groups, the directories that no organization lists are asked, too.',
  ),
  providers: texts('providers').describe(
    'The names of providers. A user who has signed in with one of them is a member; for a sign-in in another way, the identity there is not enough.',
  ),
  members: section({
    groups: texts('groups').describe(
      'The names of groups whose users are members: groups of the accounts database, and the claim `groups` of directories that no organization lists.',
    ),
  }),
  clients: texts('client ids').describe(
    'The ids of clients that accept members only. A client that several organizations list accepts the members of each.',
  ),
  secondFactors: z
    .enum(policies, { error: `must be one of ${policies.join(', ')}` })
    .optional()
    .describe(
      'The policy of second factors. The strictest of the policies of the organization, the client and the realm applies. Default: none of its own.',
    ),
  brand: brand.describe('The look of the bundled pages for this organization.'),
});

export const organizationsSchema = z
  .array(organization, { error: 'must be a list of organizations (in the variable: JSON)' })
  .default([])
  .describe(
    'The organizations to which users belong, such as business customers. See "Members of organizations" below.',
  );
