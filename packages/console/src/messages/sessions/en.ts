/** The texts of the pages of sessions and consents. */
export const en = {
  subject: 'Subject of a user',
  client: 'Client id',
  hint: 'Enter one of the two. The users page finds the subject by login name.',
  sessions: 'Sessions',
  consents: 'Consents',
  ofUser: 'Sessions of {subject}',
  consentsOfUser: 'Consents of {subject}',
  showSessions: 'Show the sessions',
  showConsents: 'Show the consents',
  sessionColumns: {
    since: 'Signed in',
    place: 'Browser',
    clients: 'Clients',
    level: 'Authentication',
    until: 'Until',
    change: 'Change',
  },
  /** By the value of `acr`. */
  levels: {
    'urn:carnet:1fa': 'one factor',
    'urn:carnet:2fa': 'two factors',
    phr: 'two factors, safe from phishing',
  },
  /** By the values of `amr` (RFC 8176). */
  methods: {
    pwd: 'password',
    otp: 'one-time code',
    pin: 'PIN',
    fed: 'another provider',
    swk: 'synced passkey',
    hwk: 'passkey of one device',
    pop: 'proof of a key',
    user: 'the user was present',
    mfa: 'several factors',
    sms: 'code by SMS',
    sc: 'certificate or smart card',
    fpt: 'fingerprint',
    face: 'face',
  },
  consentColumns: {
    client: 'Client',
    scopes: 'Scopes',
    audience: 'Audience',
    since: 'Granted',
    remembered: 'Remembered',
    change: 'Change',
  },
  forever: 'until revoked',
  end: 'End the session',
  endAll: 'End all sessions',
  endAllWarning:
    'All sessions of the user end, and clients are notified. Tokens stay valid: the page of the user revokes them, too.',
  revoke: 'Revoke',
  revokeAll: 'Revoke all consents',
  revokeAllWarning: 'All consents of the user are revoked, with the tokens that depend on them.',
  noSessions: 'The user has no remembered sessions.',
  noConsents: 'The user has no consents.',
  ofClient: 'Users of the client {client}',
  clientHint:
    'Sessions are stored by user. These users have signed in to the client or got tokens, as far as the events that are kept show.',
  clientColumns: { user: 'User', last: 'Last event', type: 'Type', show: 'Show' },
  noUsers: 'No event of this client names a user in the time that was searched.',
};

export type SessionMessages = typeof en;
