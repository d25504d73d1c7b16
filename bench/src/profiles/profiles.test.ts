import { describe, expect, it } from 'vitest';
import { type CpuProfile, mergeProfiles } from './cpu-profile.ts';
import { originOf, sumSelfTimes } from './origin.ts';

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber });
const flow = 'file:///somewhere/packages/provider/src/flow/envelope.ts';

/** 300 microseconds in `seal`, 100 in what it calls, 50 of garbage collection, and 1,000 of waiting. */
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 4, 5] },
    { id: 2, callFrame: frame('seal', flow, 9), children: [3] },
    { id: 3, callFrame: frame('update', 'node:internal/crypto/cipher', 1) },
    { id: 4, callFrame: frame('(garbage collector)') },
    { id: 5, callFrame: frame('(idle)') },
  ],
  samples: [2, 3, 2, 4, 5, 1],
  timeDeltas: [0, 200, 100, 100, 50, 1_000],
};

describe('profiles', () => {
  it('are added up over processes, without the time they waited', () => {
    const root = mergeProfiles([profile, profile]);
    expect(root.total).toBe(900);
    const [seal, collector] = [...root.callees.values()];
    expect(seal).toMatchObject({ name: 'seal', self: 600, total: 800 });
    expect(collector).toMatchObject({ name: '(garbage collector)', total: 100 });
  });

  it('say whose the time was, the most expensive first', () => {
    const times = sumSelfTimes(mergeProfiles([profile]), (each) => originOf(each).name);
    expect(times).toEqual([
      { name: 'provider/flow', microseconds: 300 },
      { name: 'node:internal/crypto', microseconds: 100 },
      { name: '(garbage collector)', microseconds: 50 },
    ]);
  });

  it.each([
    ['file:///r/node_modules/.pnpm/koa@3.3.0/node_modules/koa/lib/application.js', 'package', 'koa'],
    ['file:///r/node_modules/@koa/router/lib/router.js', 'package', '@koa/router'],
    ['file:///r/packages/adapter-postgres/src/commit.ts', 'ours', 'adapter-postgres'],
    ['file:///r/packages/provider/src/library/models/code-model.ts', 'ours', 'provider/library/models'],
    ['node:_http_server', 'node', 'node:_http_server'],
    ['', 'engine', 'built-in functions'],
  ])('know the code of %s', (url, kind, name) => {
    expect(originOf({ name: 'a', url })).toEqual({ kind, name });
  });
});
