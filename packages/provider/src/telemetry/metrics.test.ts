import { expect, it } from 'vitest';
import { openMetrics } from './metrics.ts';

const readings = () => ({
  clientReads: 0,
  clientParses: 0,
  clientInstantiations: 0,
  sweep: { removed: 0, left: 0 },
});

interface Counted {
  readonly name: string;
  readonly values: readonly { readonly labels: Readonly<Record<string, unknown>>; readonly value: number }[];
}

const eventsIn = (snapshot: readonly object[]) =>
  (snapshot as readonly Counted[]).find(({ name }) => name === 'carnet_audit_events_total')?.values ?? [];

it('the metrics of a process name a hundred issuers, and all further ones together as other', async () => {
  const metrics = openMetrics({ byIssuer: true, readings });
  const names = Array.from({ length: 150 }, (_, index) => `tenant-${index}`);
  for (const name of names) metrics.of(name).audit({ action: 'login', outcome: 'success' });
  const events = eventsIn(await metrics.snapshot());
  expect(events).toHaveLength(101);
  expect(events.find(({ labels }) => labels.issuer === 'other')?.value).toBe(50);
});

it('an issuer without a label of its own sees no metrics of the others, even one that is named other', async () => {
  const metrics = openMetrics({ byIssuer: true, readings });
  for (let index = 0; index < 101; index++)
    metrics.of(`tenant-${index}`).audit({ action: 'login', outcome: 'success' });
  for (const name of ['tenant-100', 'other']) {
    metrics.of(name).audit({ action: 'login', outcome: 'success' });
    expect(eventsIn(await metrics.of(name).snapshot())).toEqual([]);
  }
  expect(eventsIn(await metrics.of('tenant-0').snapshot())).toHaveLength(1);
});

it('the metrics of a single provider have no label issuer', async () => {
  const metrics = openMetrics({ byIssuer: false, readings });
  metrics.of().audit({ action: 'login', outcome: 'success' });
  expect(eventsIn(await metrics.of().snapshot()).map(({ labels }) => labels)).toEqual([
    { action: 'login', outcome: 'success' },
  ]);
});
