export interface Group {
  /** The name of the page. */
  readonly name: string;
  readonly title: string;
  readonly introduction: string;
  /** The group has the operations whose path begins with one of these. The first group that fits takes an operation. */
  readonly paths: readonly string[];
}

/** The pages of the admin API, in their order. */
export const groups: readonly Group[] = [
  {
    name: 'login',
    title: 'Login requests',
    introduction:
      'The login page reads the request, and accepts or rejects it. [Your login page](../../guides/login-page.md) shows the order of the calls.',
    paths: ['/admin/oauth2/auth/requests/login'],
  },
  {
    name: 'consent',
    title: 'Consent requests',
    introduction: 'The consent page reads the request, and accepts or rejects it.',
    paths: ['/admin/oauth2/auth/requests/consent'],
  },
  {
    name: 'logout',
    title: 'Logout requests',
    introduction: 'The logout page reads the request, and accepts or rejects it. See [logout](../../guides/logout.md).',
    paths: ['/admin/oauth2/auth/requests/logout'],
  },
  {
    name: 'device-and-ciba',
    title: 'Device and backchannel requests',
    introduction:
      'The pages and services of the [device flow and of CIBA](../../guides/device-and-backchannel.md) decide these requests.',
    paths: ['/admin/oauth2/auth/requests/'],
  },
  {
    name: 'clients',
    title: 'Clients',
    introduction: 'Register, change and delete clients. The names of the members are those of RFC 7591.',
    paths: ['/admin/clients', '/admin/registration-tokens'],
  },
  {
    name: 'tokens',
    title: 'Tokens',
    introduction: 'Introspect and revoke tokens.',
    paths: ['/admin/oauth2/introspect', '/admin/oauth2/tokens'],
  },
  {
    name: 'sessions',
    title: 'Sessions and consents',
    introduction: 'List and end the remembered logins and consents of a user.',
    paths: ['/admin/oauth2/auth/sessions/'],
  },
  {
    name: 'keys',
    title: 'Keys',
    introduction: 'The signing keys and your own key sets. See [signing keys](../../operate/keys.md).',
    paths: ['/admin/keys/'],
  },
  {
    name: 'trusted-issuers',
    title: 'Trusted issuers',
    introduction: 'The issuers whose assertions the JWT bearer grant (RFC 7523) accepts.',
    paths: ['/admin/trust/'],
  },
  {
    name: 'accounts',
    title: 'Accounts',
    introduction:
      'Sign-in steps, second factors, sign-up and recovery. The section `accounts` of the configuration switches them on. See [directories](../../guides/directories.md) and [second factors](../../guides/second-factors.md).',
    paths: ['/admin/accounts/'],
  },
  {
    name: 'users',
    title: 'Users',
    introduction:
      'List, search, create, change, disable and delete users. See [manage users](../../guides/manage-users.md).',
    paths: ['/admin/users'],
  },
  {
    name: 'groups',
    title: 'Groups',
    introduction:
      'List, create, change and delete groups of users, and their members. See [groups](../../guides/manage-users.md#groups).',
    paths: ['/admin/groups'],
  },
  {
    name: 'events',
    title: 'Events and webhooks',
    introduction:
      'List events, and watch, test and repair webhooks. The section `events` of the configuration switches them on. See [events and webhooks](../../guides/events-and-webhooks.md).',
    paths: ['/admin/events', '/admin/webhooks'],
  },
  {
    name: 'server',
    title: 'Server',
    introduction: 'Health, version, metrics, and the document of this API.',
    paths: ['/admin/'],
  },
];
