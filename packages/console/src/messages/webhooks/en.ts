/** The texts of the pages of webhooks. */
export const en = {
  caption: 'Webhooks',
  columns: {
    name: 'Name',
    state: 'State',
    types: 'Types',
    retries: 'Waiting for another attempt',
    failed: 'Failed',
    handled: 'Handled through',
  },
  states: {
    active: 'active',
    paused: 'paused: the receiver has asked for a pause',
    stalled: 'stalled: 100 events wait, and one new event a minute is tried',
    gone: 'switched off: the receiver has answered 410',
  },
  allTypes: 'all but refused requests',
  never: 'no process has begun to send',
  behind: '{duration} behind',
  noWebhooks: 'No webhooks are configured: events.webhooks.',
  failed: 'Events that failed for good',
  failedHint: 'The latest 1,000, newest first.',
  failedColumns: { event: 'Event', at: 'Failed', attempts: 'Attempts', reason: 'Reason' },
  noFailed: 'No event has failed.',
  retry: 'Try failed events again',
  retryHint: 'All failed and waiting events are tried now. A webhook that was switched off gets events again.',
  retried: 'The process that sends the events tries them again.',
  test: 'Send a test event',
  testHint: 'Sends an event of the type webhook.test, and shows the result.',
  result: 'Result of the test',
  results: {
    delivered: 'The receiver has accepted the event.',
    failed: 'The receiver has not accepted the event.',
    gone: 'The receiver has answered 410.',
    aborted: 'The test was aborted.',
  },
  reason: 'Reason',
  back: 'Back to the webhook',
};

export type WebhookMessages = typeof en;
