import { expect, test } from 'vitest';
import { readFlags } from './read-flags.ts';

test('flags answer the questions', () => {
  const args = [
    'my-app',
    '--framework',
    'koa',
    '--store',
    'postgres',
    '--pages',
    'bundled',
    '--mcp',
    '--no-install',
    '-y',
  ];
  expect(readFlags(args)).toEqual({
    folder: 'my-app',
    framework: 'koa',
    store: 'postgres',
    pages: 'bundled',
    mcp: true,
    databaseUrl: undefined,
    install: false,
    yes: true,
    help: false,
  });
});

test('an absent flag is an open question', () => {
  const { folder, framework, store, pages, mcp, install, yes } = readFlags([]);
  expect([folder, framework, store, pages, mcp, install]).toEqual(Array.from({ length: 6 }));
  expect(yes).toBe(false);
});

test('the URL of a database chooses Postgres', () => {
  expect(readFlags(['--database-url', 'postgresql://127.0.0.1/carnet'])).toMatchObject({ store: 'postgres' });
});

test.each([
  [
    ['--framework', 'nest'],
    /--framework nest is not supported\. Choose one of: express, koa, fastify, next, standalone\./,
  ],
  [['--store', 'mysql'], /--store mysql is not supported/],
  [['--pages', 'none'], /--pages none is not supported/],
  [['--framwork', 'koa'], /Unknown option '--framwork'.* --help` lists the flags/],
  [['one', 'two'], /one folder, but one and two are given/],
  [['--database-url', 'mysql://127.0.0.1'], /must begin with postgres:\/\//],
  [['--database-url', 'postgres://127.0.0.1/a', '--store', 'sqlite'], /needs --store postgres/],
])('%j is refused with a reason', (args, message) => {
  expect(() => readFlags(args)).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(message) }),
  );
});
