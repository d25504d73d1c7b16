import { describe, expect, it } from 'vitest';
import { judge } from '../figures.ts';
import { outcomeWith } from '../test-outcome.ts';
import { headlineOf } from './headline.ts';
import { profilesTable, renderMarkdown } from './markdown.ts';
import { formatResults, type Results, readResults } from './results.ts';
import { summaryRows } from './summary.ts';
import { rateRows } from './text.ts';
import { replacePart } from './write-documents.ts';

const outcomes = [
  outcomeWith({}, { perSecond: 500, serverCpu: 2_000 }),
  outcomeWith({ scenario: 'introspection', connections: 100 }, { perSecond: 500 }),
  outcomeWith({ scenario: 'jwks', target: 'other <&>' }, { serverCpu: Number.NaN, storeCpu: Number.NaN }),
];
const results: Results = {
  format: 2,
  startedAt: '2026-11-21T15:00:00.000Z',
  seconds: 60,
  command: 'npm run bench -- login',
  isQuick: false,
  commit: { id: 'abcdef012345', isDirty: true },
  machine: { cpu: 'A CPU', cores: 2, memoryGigabytes: 8, system: 'Linux 6' },
  versions: { Node: '24.21.0' },
  targets: [{ name: 'carnet on postgres', settings: { durability: 'fsync=on', BCRYPT_COST: '8' } }],
  profiles: [
    {
      scenario: 'login',
      target: 'carnet on postgres',
      parts: [{ name: 'provider/flow', share: 0.125 }],
    },
  ],
  studies: [
    { name: 'start', title: 'A <study>', command: 'npm run bench -- start', tables: [[['ms'], ['812']]], verdicts: [] },
  ],
  outcomes,
  verdicts: judge(outcomes, (name) => (name === 'carnet on postgres' ? 'postgres' : undefined)),
};

describe('the report', () => {
  it('names machine, versions, settings, commit, and what is not met', () => {
    const report = renderMarkdown(results);
    for (const said of ['A CPU', '24.21.0', 'fsync=on', 'BCRYPT_COST 8', 'abcdef012345, with changes', 'NOT MET']) {
      expect(report).toContain(said);
    }
    expect(report).not.toMatch(/undefined|NaN/);
  });

  it('begins with throughput and p95, and has targets only if it is asked for them', () => {
    const report = renderMarkdown({ ...results, machine: { ...results.machine, busyShare: 0.5 } });
    const places = ['50 % of the CPU', 'per second', 'p95 in ms', 'NOT MET', 'cpu units'].map((text) =>
      report.indexOf(text),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
    const without = renderMarkdown({ ...results, verdicts: [] });
    expect(without).not.toMatch(/NOT MET|Targets/);
    expect(without).toContain('p95 in ms');
  });

  it('plots the rates, the highest over the whole width', () => {
    const rates = [1_000, 500, 1, Number.NaN].map((perSecond) => outcomeWith({}, { perSecond }));
    expect(rateRows(rates).map(([, , bar = '']) => bar.length)).toEqual([0, 24, 12, 1, 0]);
  });

  it('says in Markdown what took most of the time', () => {
    expect(profilesTable(results.profiles)).toContain('| login | carnet on postgres | provider/flow 12.5 % |');
  });

  it('has what the studies have found', () => {
    for (const said of ['study', 'npm run bench -- start', '812']) expect(renderMarkdown(results)).toContain(said);
  });

  it('sums up units of each server side by side, the headline first', () => {
    const both = [
      outcomeWith({ scenario: 'introspection', title: 'Introspection' }, { perSecond: 500 }),
      outcomeWith({}, { perSecond: 100, serverCpu: 100 }),
      outcomeWith({ target: 'hydra' }, { perSecond: 10, serverCpu: 450 }),
    ];
    expect(summaryRows({ ...results, outcomes: both })).toEqual([
      ['', 'carnet on postgres', 'hydra', 'CPU, hydra / carnet on postgres'],
      ['Login', '50', '500', '4.5'],
      ['Introspection', '10', '-', '-'],
    ]);
  });

  it('survives being written and read again', () => {
    expect(readResults(formatResults(results))).toEqual(results);
    expect(() => readResults('{"format":1}')).toThrow('run the bench again');
  });
});

describe('the sentence of the README', () => {
  const target = 'carnet on postgres';
  const ours = outcomeWith({ target }, { perSecond: 912 });
  const theirs = outcomeWith({ target: 'hydra' }, { perSecond: 200 });
  const targets = [{ name: target, settings: {} }];

  it('has the rates of one server', () => {
    expect(headlineOf({ ...results, outcomes: [ours], targets })).toBe(
      'Per second, on 2 cores that carnet on postgres and the load generator share: 910 logins.',
    );
  });

  it('compares two servers of one run, and never rounds the factor up', () => {
    const both = { ...results, outcomes: [ours, theirs], targets: [...targets, { name: 'hydra', settings: {} }] };
    expect(headlineOf(both)).toContain('910 logins (4.5 times hydra).');
  });

  it('leaves out rates that were given', () => {
    const given = { ...ours, isRateGiven: true };
    expect(headlineOf({ ...results, outcomes: [given], targets })).not.toContain('logins');
  });
});

describe('a part of a document', () => {
  it('replaces one part of a document and leaves the rest', () => {
    const document = 'before\n<!-- a -->\nold\n<!-- /a -->\nafter';
    expect(replacePart(document, 'a', 'new')).toBe('before\n<!-- a -->\nnew\n<!-- /a -->\nafter');
    expect(() => replacePart(document, 'b', 'new')).toThrow('<!-- b -->');
  });
});
