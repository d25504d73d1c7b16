import { createLogger } from '@carnet/provider/server';
import { expect, it } from 'vitest';
import { readableLines } from './readable-lines.ts';

const written = (): { logger: ReturnType<typeof createLogger>; lines: string[] } => {
  const lines: string[] = [];
  return {
    lines,
    logger: createLogger(
      { level: 'info' },
      readableLines((line) => lines.push(line.slice(9))),
    ),
  };
};

it('prints a login as one line', () => {
  const { logger, lines } = written();
  const user = { outcome: 'success', clientId: 'demo', subject: 'user-1' };
  logger.info({ method: 'GET', route: '/oauth2/auth', status: 302, durationMs: 4 }, 'request');
  logger.info({ audit: { action: 'login.accept', ...user, byAdmin: true } }, 'audit');
  logger.info({ audit: { action: 'consent.accept', ...user, byAdmin: true } }, 'audit');
  logger.info({ audit: { action: 'login', ...user } }, 'audit');
  logger.info({ audit: { action: 'token', ...user, grantType: 'authorization_code' } }, 'audit');
  logger.info({ method: 'POST', route: '/oauth2/token', status: 200, durationMs: 4 }, 'request');
  expect(lines).toEqual(['login demo user-1 ok']);
});

it('prints what failed, and no control characters of others', () => {
  const { logger, lines } = written();
  logger.warn(
    { audit: { action: 'login', outcome: 'denied', reason: 'access_denied', clientId: 'a\u001b[2J' } },
    'audit',
  );
  logger.error({ err: new Error('lost') }, 'a request failed unexpectedly');
  logger.info({ publicUrl: 'http://127.0.0.1:4444' }, 'ready');
  expect(lines[0]).toMatch(/^login a.*denied access_denied$/);
  expect(lines.join()).not.toContain('\u001b');
  expect(lines[1]).toMatch(/^error: a request failed unexpectedly .*lost/);
  expect(lines[2]).toBe('ready {"publicUrl":"http://127.0.0.1:4444"}');
});
