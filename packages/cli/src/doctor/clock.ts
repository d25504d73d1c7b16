import { issuerUrl } from '@carnet/provider/server';
import { ask } from './ask.ts';
import { type Check, fail, ok, warn } from './check.ts';

/** A `Date` header has whole seconds. */
const resolutionMs = 1_000;

/** Whether the clocks of this machine and of the issuer agree. */
export const clock: Check = {
  name: 'clock',
  run: async ({ config: { issuer }, now }) => {
    const askedAt = now();
    const answer = await ask(issuerUrl(issuer, '/.well-known/openid-configuration'));
    const date = typeof answer === 'string' ? null : answer.response.headers.get('date');
    if (date === null) return [];
    const answeredAt = now();
    const theirs = Date.parse(date);
    const apart = Math.max(0, askedAt - resolutionMs - theirs, theirs - answeredAt);
    const seconds = Math.ceil(apart / 1000);
    if (apart > 30_000) {
      return [
        fail(
          `is ${seconds} s off the clock of the issuer`,
          'Run NTP on every machine: client assertions may be accepted twice.',
        ),
      ];
    }
    return apart > 5_000
      ? [warn(`is ${seconds} s off the clock of the issuer`, 'Run NTP on every machine.')]
      : [ok('agrees with the clock of the issuer')];
  },
};
