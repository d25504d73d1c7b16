import { subject } from '../second-factors/open-test-factors.ts';
import { openFactors, type Round } from './open-factors.ts';

/** The calls of one process in a round. */
const calls = 10;

const opened = await openFactors(process.argv[2] ?? '');

process.on('message', async (round: Round | 'end') => {
  if (round === 'end') {
    await opened.close();
    process.disconnect();
    return;
  }
  opened.clock.now = round.now;
  const factors = round.isLimited ? opened.limited : opened.unlimited;
  const use = () => factors.verifyCode({ subject, kind: 'totp', code: round.code });
  const verdicts = await Promise.all(Array.from({ length: calls }, use));
  process.send?.(verdicts.map(({ outcome }) => outcome));
});
process.send?.('ready');
