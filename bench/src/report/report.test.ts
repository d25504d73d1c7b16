import { describe, expect, it } from 'vitest';
import { chartsOf } from '../charts/index.ts';
import { standaloneSvg } from '../charts/svg.ts';
import { judge } from '../figures.ts';
import { outcomeWith } from '../test-outcome.ts';
import { headlineOf } from './headline.ts';
import { renderHtml } from './html.ts';
import { profilesTable, renderMarkdown } from './markdown.ts';
import { formatResults, type Results, readResults } from './results.ts';
import { summaryRows } from './summary.ts';
import { replacePart } from './write-documents.ts';

const outcomes = [
  outcomeWith({}, { perSecond: 500, serverCpu: 2_000 }),
  outcomeWith({ scenario: 'introspection', connections: 100 }, { perSecond: 500 }),
  outcomeWith({ scenario: 'jwks', target: 'other <&>' }, { serverCpu: Number.NaN, storeCpu: Number.NaN }),
];
const results: Results = {
  format: 1,
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
      page: 'profiles/login.html',
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
  it.each([
    ['Markdown', renderMarkdown(results)],
    ['HTML', renderHtml(results)],
  ])('as %s names machine, versions, settings, commit, and what is not met', (_, report) => {
    for (const said of ['A CPU', '24.21.0', 'fsync=on', 'BCRYPT_COST 8', 'abcdef012345, with changes', 'NOT MET']) {
      expect(report).toContain(said);
    }
    expect(report).not.toMatch(/undefined|NaN/);
  });

  it.each([renderMarkdown, renderHtml])(
    'begins with throughput and p95, and has targets only if it is asked for them',
    (render) => {
      const report = render({ ...results, machine: { ...results.machine, busyShare: 0.5 } });
      const places = ['50 % of the CPU', 'per second', 'p95 in ms', 'NOT MET', 'cpu units'].map((text) =>
        report.indexOf(text),
      );
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(places[0]).toBeGreaterThan(0);
      const without = render({ ...results, verdicts: [] });
      expect(without).not.toMatch(/NOT MET|Targets/);
      expect(without).toContain('p95 in ms');
    },
  );

  it('is one page that loads nothing from elsewhere, and takes no name for markup', () => {
    const page = renderHtml(results);
    expect(page).not.toMatch(/<script|<link|src=|url\(|@import/);
    expect(page).not.toContain('other <&>');
  });

  it('draws charts that have a title for screen readers', () => {
    const charts = chartsOf(results);
    expect([...charts.keys()]).toEqual(['rates', 'cpu-requests', 'cpu-logins', 'figures']);
    for (const chart of charts.values()) {
      const svg = standaloneSvg(chart);
      expect(svg).toContain('role="img"');
      expect(svg).toContain(`<title>${chart.title}</title>`);
      expect(svg).not.toMatch(/undefined|NaN/);
    }
  });

  it('says in Markdown what took most of the time', () => {
    expect(profilesTable(results.profiles)).toContain('| login | carnet on postgres | provider/flow 12.5 % |');
  });

  it.each([renderMarkdown(results), renderHtml(results)])('has what the studies have found', (report) => {
    for (const said of ['study', 'npm run bench -- start', '812']) expect(report).toContain(said);
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

  it('is read again as it was written', () => {
    expect(readResults(formatResults(results))).toEqual(results);
    expect(() => readResults('{"format":2}')).toThrow('run the bench again');
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
  it('is replaced, and nothing else', () => {
    const document = 'before\n<!-- a -->\nold\n<!-- /a -->\nafter';
    expect(replacePart(document, 'a', 'new')).toBe('before\n<!-- a -->\nnew\n<!-- /a -->\nafter');
    expect(() => replacePart(document, 'b', 'new')).toThrow('<!-- b -->');
  });
});
