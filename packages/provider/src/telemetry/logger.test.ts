import { describe, expect, it } from 'vitest';
import { audit } from './audit.ts';
import { createLogger, type Logger, loggerOfIssuer, requestLine } from './logger.ts';
import { scrubText } from './redact.ts';

const capture = () => {
  const lines: string[] = [];
  const logger = createLogger({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  return { logger, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1) ?? 'null') };
};

describe('the log', () => {
  it.each([
    'authorization',
    'Authorization',
    'cookie',
    'set-cookie',
    'token',
    'access_token',
    'refreshToken',
    'id_token_hint',
    'secret',
    'client_secret',
    'secrets',
    'code',
    'user_code',
    'device_code',
    'login_challenge',
    'code_challenge',
    'consentVerifier',
    'code_verifier',
    'password',
    'client_assertion',
    'jwks',
    'privateKey',
  ])('masks a member named %s, at any depth', (name) => {
    const { logger, text } = capture();
    logger.info({ [name]: 'leaked-1', request: { headers: [{ [name]: ['leaked-2'] }] } }, 'seen');
    expect(text()).toContain('***');
    expect(text()).not.toContain('leaked');
  });

  it.each(['status_code', 'token_type', 'client_id', 'route', 'grantId'])('keeps a member named %s', (name) => {
    const { logger, last } = capture();
    logger.info({ [name]: 'kept' });
    expect(last()[name]).toBe('kept');
  });

  it('writes errors with type, message, stack and causes, and nothing else they carry', () => {
    const { logger, last, text } = capture();
    const cause = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED', config: { headers: 'leaked' } });
    logger.error({ err: new TypeError('broken', { cause }), body: 'kept' }, 'failed');
    expect(last()).toMatchObject({
      level: 'error',
      msg: 'failed',
      body: 'kept',
      err: {
        type: 'TypeError',
        message: 'broken',
        stack: expect.stringContaining('logger.test.ts'),
        cause: { type: 'Error', message: 'connect failed', code: 'ECONNREFUSED' },
      },
    });
    expect(text()).not.toContain('leaked');
  });

  it('drops queries and credentials of URLs wherever they stand: errors, messages, members', () => {
    const { logger, text } = capture();
    logger.error(new Error('GET https://op.example/oauth2/auth?login_verifier=leaked failed'));
    logger.info('went to /oauth2/auth?code=leaked&state=x');
    logger.info({ url: 'postgres://carnet:leaked@db/carnet', location: 'https://rp.example/cb#access_token=leaked' });
    logger.info({ err: new Error('at "/admin/x?login_challenge=leaked"') });
    expect(text()).not.toContain('leaked');
    expect(text()).toContain('https://op.example/oauth2/auth?***');
    expect(text()).toContain('postgres://***@db/carnet');
    for (const line of text().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('time');
  });

  it('survives what refers to itself', () => {
    const { logger, text } = capture();
    const ring: Record<string, unknown> = {};
    ring.self = ring;
    const error = new Error('round');
    error.cause = error;
    logger.info({ ring, err: error }, 'written');
    expect(text()).toContain('"msg":"written"');
  });

  it('leaves ordinary text alone', () => {
    expect(scrubText('Ready? Yes: 3 of 4, see issue #12.')).toBe('Ready? Yes: 3 of 4, see issue #12.');
  });
});

/** What somebody may choose: a subject, a client's id. */
const chosenTexts = [
  'alice',
  'https://op.example/users?token=leaked',
  'at https://me:leaked@host/x',
  '/cb#access_token=leaked',
  'quote " backslash \\ line \n tab \t nul \u0000 del \u007f',
  '\u2028 ümläut 😀',
  '',
];

describe('a line of a closed form', () => {
  const withoutTime = (line: string): string => line.replace(/"time":"[^"]+"/, '"time":""');
  const written = (write: (logger: Logger) => void): string => {
    const { logger, text } = capture();
    write(logger);
    return withoutTime(text());
  };

  it.each(chosenTexts)('the line equals what the logger writes, byte for byte: %j', (text) => {
    const records: readonly object[] = [
      { audit: { action: 'login', outcome: 'success', clientId: text, subject: text, kid: undefined, byAdmin: true } },
      requestLine({ method: text, route: text, status: 200, durationMs: 1.26, requestId: 'a-1' }),
      requestLine({ method: 'GET', route: '/userinfo', status: 200, durationMs: Number.NaN, requestId: 'a-1' }),
    ];
    for (const record of records) {
      const line = written(({ writeLine }) => writeLine?.('warn', record, 'audit'));
      expect(line).toBe(written((logger) => logger.warn(record, 'audit')));
      expect(line).not.toContain('leaked');
    }
  });

  it('the line is written from its level on', () => {
    const lines: string[] = [];
    const logger = createLogger({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    logger.writeLine?.('info', { status: 200 }, 'request');
    logger.writeLine?.('warn', { status: 500 }, 'request');
    expect(lines).toHaveLength(1);
  });

  it('has the time of its own', () => {
    const { logger, last } = capture();
    const before = Date.now();
    logger.writeLine?.('info', { status: 200 }, 'request');
    expect(Date.parse(last().time)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(last().time)).toBeLessThanOrEqual(Date.now());
  });
});

describe('a request line', () => {
  it('has the path without its query', () => {
    const line = { method: 'GET', route: '/oauth2/auth?state=x', status: 302, durationMs: 1.234, requestId: 'r' };
    expect(requestLine(line)).toEqual({ ...line, route: '/oauth2/auth', durationMs: 1.2 });
  });
});

describe('an audit event', () => {
  it('an audit event has a line of its own, a warning unless it succeeded', () => {
    const { logger, last } = capture();
    audit(logger)({ action: 'login', outcome: 'success', clientId: 'c', subject: 's' });
    expect(last()).toMatchObject({ level: 'info', audit: { action: 'login', clientId: 'c', subject: 's' } });
    audit(logger)({ action: 'flow.resume', outcome: 'denied', reason: 'cookie_missing' });
    expect(last()).toMatchObject({ level: 'warn', audit: { reason: 'cookie_missing' } });
  });
});

it('the log of an issuer has its name in each line, and masks as before', () => {
  const { logger, text, last } = capture();
  const named = loggerOfIssuer(logger, 'acme');
  named.info('started');
  expect(last()).toMatchObject({ level: 'info', issuer: 'acme', msg: 'started' });
  named.warn({ token: 'leaked', kid: 'k' }, 'seen');
  expect(last()).toMatchObject({ level: 'warn', issuer: 'acme', kid: 'k', token: '***', msg: 'seen' });
  named.error(new Error('broken'));
  expect(last()).toMatchObject({ level: 'error', issuer: 'acme', err: { message: 'broken' } });
  named.writeLine?.('info', { route: '/' }, 'request');
  expect(last()).toMatchObject({ issuer: 'acme', route: '/', msg: 'request' });
  expect(text()).not.toContain('leaked');
  expect(loggerOfIssuer(logger, undefined)).toBe(logger);
});
