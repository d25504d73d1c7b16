import { describe, expect, it } from 'vitest';
import { parseCommand } from './command-line.ts';
import { scenarios } from './scenarios/index.ts';
import { studies } from './studies/index.ts';

describe('the command', () => {
  it('measures all scenarios on Postgres with two workers when nothing else is asked', () => {
    expect(parseCommand([])).toMatchObject({ scenarios, stores: ['postgres'], workers: 2, rounds: 5, foreign: [] });
  });

  it('takes names, stores and other servers', () => {
    const target = 'hydra=http://127.0.0.1:4444/,http://127.0.0.1:4445,123';
    expect(parseCommand(['jwks', '--store', 'memory,redis', '--target', target])).toMatchObject({
      scenarios: [{ name: 'jwks' }],
      stores: ['memory', 'redis'],
      foreign: [{ name: 'hydra', publicUrl: 'http://127.0.0.1:4444', processIds: [123] }],
    });
  });

  it('compares with targets only when asked, or for the documents', () => {
    expect(parseCommand([])).toMatchObject({ withTargets: false });
    expect(parseCommand(['--targets'])).toMatchObject({ withTargets: true });
    expect(parseCommand(['--readme'])).toMatchObject({ withTargets: true });
  });

  it('finishes quicker when asked to', () => {
    const amountOf = (args: readonly string[]) => {
      const command = parseCommand(args);
      return typeof command === 'string' ? 0 : command.scenarios[0]?.amount;
    };
    expect(amountOf(['jwks', '--quick'])).toBe(Math.ceil((amountOf(['jwks']) ?? 0) / 4));
  });

  it.each([
    [['nonsense'], '--list'],
    [['--store', 'oracle'], 'postgres'],
    [['--workers', '0'], 'from 1'],
    [['--rate', 'fast'], 'whole number'],
    [['--store', 'none'], '--target'],
    [['--target', 'hydra'], 'name=http'],
    [['--target', 'hydra=https://a,https://b'], 'name=http'],
    [['--generator', 'wrk'], 'autocannon'],
    [['--speed'], 'speed'],
    [['--store', 'memory,memory'], 'but once'],
    [['--readme', '--quick'], 'not to be quoted'],
  ])('says what to do about %j', (args, hint) => {
    expect(() => parseCommand(args)).toThrow(hint);
  });

  it('lists every scenario and study', () => {
    const list = String(parseCommand(['--list']));
    for (const { name, title } of [...scenarios, ...studies]) {
      expect(list).toContain(name);
      expect(list).toContain(title);
    }
  });
});
