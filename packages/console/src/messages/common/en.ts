/** The texts that every page of the console needs. */
export const en = {
  console: 'Console',
  nav: {
    overview: 'Overview',
    clients: 'Clients',
    users: 'Users',
    sessions: 'Sessions',
    keys: 'Keys',
    events: 'Events',
    webhooks: 'Webhooks',
    configuration: 'Configuration',
    refusals: 'Why refused?',
  },
  signOut: 'Sign out',
  signedInAs: 'Signed in as {name} ({role})',
  skip: 'Skip to the content',
  next: 'Next page',
  first: 'First page',
  search: 'Search',
  empty: 'Nothing found.',
  problems: {
    notFound: 'This page or object does not exist.',
    forbidden: 'Your role does not allow this.',
    otherOrigin: 'The request did not come from a page of the console. Reload the page and try again.',
    unavailable: 'The store did not answer. Try again.',
    failed: 'Something went wrong. The log of the server has the details.',
  },
};

export type CommonMessages = typeof en;
