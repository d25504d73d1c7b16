// Logs, and ends in the way that its argument names.
import { createLogger } from '../../src/telemetry/logger.ts';

const logger = createLogger({ level: 'info' });

const ends: Readonly<Record<string, () => void>> = {
  return: () => undefined,
  exit: () => process.exit(3),
  throw: () => {
    throw new Error('nobody catches this');
  },
  reject: () => void Promise.reject(new Error('nobody catches this')),
  fatal: () => {
    logger.fatal('killed outright');
    process.kill(process.pid, 'SIGKILL');
  },
  SIGKILL: () => void setTimeout(() => process.kill(process.pid, 'SIGKILL')),
};

setTimeout(() => {
  for (let index = 0; index < 2_000; index += 1)
    logger.writeLine?.('info', { audit: { action: 'login', index } }, 'audit');
  logger.info('by the logger');
  ends[process.argv[2] ?? '']?.();
});
