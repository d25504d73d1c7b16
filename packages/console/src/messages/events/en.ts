/** The texts of the page of events. */
export const en = {
  subject: 'Subject of a user',
  client: 'Client id',
  request: 'Request id',
  requestHint: 'The id on an error page, or the header X-Request-Id.',
  type: 'Type',
  typeHint: 'A type such as user.created, or user.*',
  since: 'From (UTC)',
  until: 'Before (UTC)',
  caption: 'Events, newest first',
  columns: {
    time: 'Time',
    type: 'Type',
    result: 'Result',
    user: 'User',
    client: 'Client',
    request: 'Request',
    details: 'Details',
  },
  success: 'success',
  denied: 'refused',
  live: 'Watch live',
  past: 'Show past events',
  liveTitle: 'Live events',
  liveHint: 'New events appear at the top within seconds.',
  liveWithout: 'Without JavaScript, this page reloads every ten seconds.',
  connected: 'Connected.',
  lost: 'The connection was lost. Trying again.',
  searched: 'Searched back to',
  refusalsHint: 'Of refused requests, each process keeps 2 events a second of each type. The log has all of them.',
};

export type EventMessages = typeof en;
