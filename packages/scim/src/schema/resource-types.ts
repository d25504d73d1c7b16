import type { Attribute, ResourceType } from './attribute.ts';

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  ...{ name, type: 'string', description },
  ...more,
});

/** The sub-attributes of every value of a list (RFC 7643, section 2.4). */
const kindOfValue: readonly Attribute[] = [
  text('type', 'The kind of the value, such as work or home.'),
  { name: 'primary', type: 'boolean', description: 'Whether this is the main value.' },
];

const list = (name: string, description: string, subAttributes?: readonly Attribute[]): Attribute => ({
  ...{ name, type: 'complex', multiValued: true, description },
  subAttributes: [
    ...(subAttributes ?? [text('value', 'The value.'), text('display', 'The value for display.')]),
    ...kindOfValue,
  ],
});

const userAttributes: readonly Attribute[] = [
  text('userName', 'The name with which the user signs in.', { required: true, uniqueness: 'server' }),
  {
    name: 'name',
    type: 'complex',
    description: 'The parts of the name.',
    subAttributes: [
      text('formatted', 'The full name.'),
      text('familyName', 'The family name.'),
      text('givenName', 'The given name.'),
      text('middleName', 'The middle name.'),
      text('honorificPrefix', 'The title, such as Ms.'),
      text('honorificSuffix', 'The suffix, such as III.'),
    ],
  },
  text('displayName', 'The name that applications show.'),
  text('nickName', 'The casual name.'),
  { name: 'profileUrl', type: 'reference', referenceTypes: ['external'], description: 'The URL of the profile page.' },
  text('title', 'The position, such as Vice President.'),
  text('userType', 'The relation to the organization.'),
  text('preferredLanguage', 'The language, as in Accept-Language.'),
  text('locale', 'The locale, such as en-US.'),
  text('timezone', 'The time zone, such as Europe/Madrid.'),
  {
    name: 'active',
    type: 'boolean',
    description: 'False ends all access of the user: sessions, grants and tokens.',
  },
  text('password', 'The password of a new user.', { mutability: 'immutable', isSecret: true }),
  list('emails', 'Email addresses. The user signs in with the primary one, too.'),
  list('phoneNumbers', 'Phone numbers.'),
  list('addresses', 'Postal addresses.', [
    text('formatted', 'The whole address.'),
    text('streetAddress', 'The street.'),
    text('locality', 'The city.'),
    text('region', 'The state or region.'),
    text('postalCode', 'The postal code.'),
    text('country', 'The country, in two letters.'),
  ]),
  list('roles', 'Roles. Their values are the claim roles.'),
  {
    name: 'groups',
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    description: 'The groups of the user.',
    subAttributes: [
      text('value', 'The id of the group.', { mutability: 'readOnly', caseExact: true }),
      {
        ...{ name: '$ref', type: 'reference', referenceTypes: ['Group'], mutability: 'readOnly' },
        description: 'The URL of the group.',
      },
      text('display', 'The name of the group.', { mutability: 'readOnly' }),
    ],
  },
];

export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Users (RFC 7643, sections 4.1 and 4.3): the attributes that Carnet stores. */
export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  schema: {
    id: 'urn:ietf:params:scim:schemas:core:2.0:User',
    name: 'User',
    description: 'A user of the accounts database.',
    attributes: userAttributes,
  },
  extensions: [
    {
      id: enterpriseUrn,
      name: 'EnterpriseUser',
      description: 'A user of an organization.',
      attributes: [
        text('employeeNumber', 'The number of the employee.'),
        text('costCenter', 'The cost center.'),
        text('organization', 'The organization.'),
        text('division', 'The division.'),
        text('department', 'The department.'),
        {
          name: 'manager',
          type: 'complex',
          description: 'The manager.',
          subAttributes: [text('value', 'The id of the manager.')],
        },
      ],
    },
  ],
};

/** Groups (RFC 7643, section 4.2). */
export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  schema: {
    id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
    name: 'Group',
    description: 'A group of users. Its name is in the claim groups of its members.',
    attributes: [
      text('displayName', 'The name.', { required: true, uniqueness: 'server' }),
      {
        name: 'members',
        type: 'complex',
        multiValued: true,
        description: 'The users in the group.',
        subAttributes: [
          text('value', 'The id of the user.', { mutability: 'immutable', caseExact: true }),
          {
            ...{ name: '$ref', type: 'reference', referenceTypes: ['User'], mutability: 'immutable' },
            description: 'The URL of the user.',
          },
        ],
      },
    ],
  },
  extensions: [],
};
