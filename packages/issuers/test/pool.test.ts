import type { Carnet } from '@carnet/provider';
import { expect, it } from 'vitest';
import { createPool, type PoolOptions } from '../src/opening/pool.ts';
import type { Held, Issuer } from '../src/ports.ts';

const issuer = (name: string): Issuer => ({ name }) as Issuer;

/** A pool of providers that count how often they are opened and closed. */
const openPool = (
  most: number,
  {
    idleMs,
    fails = () => false,
    ...more
  }: { idleMs?: number; fails?: () => boolean } & Pick<PoolOptions, 'worksAlone'> = {},
) => {
  const opened: string[] = [];
  const closed: string[] = [];
  const errors: unknown[] = [];
  let isOpen = 0;
  let mostOpen = 0;
  const pool = createPool({
    most,
    idleMs,
    ...more,
    onError: (_issuer, error) => void errors.push(error),
    open: async ({ name = '' }) => {
      opened.push(name);
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (fails()) throw new Error('no store');
      isOpen += 1;
      mostOpen = Math.max(mostOpen, isOpen);
      const close = async () => {
        isOpen -= 1;
        closed.push(name);
      };
      return { close } as Carnet;
    },
  });
  return { pool, opened, closed, errors, mostOpen: () => mostOpen };
};

it('an issuer is opened once for requests that come together, and stays open', async () => {
  const { pool, opened } = openPool(3);
  const acme = issuer('acme');
  const held = await Promise.all([pool.hold(acme), pool.hold(acme), pool.hold(acme)]);
  expect(new Set(held.map(({ carnet }) => carnet)).size).toBe(1);
  expect(pool.hold(acme)).not.toBeInstanceOf(Promise);
  expect(opened).toEqual(['acme']);
});

it('the one that was idle longest is closed for another, and never one with a request in progress', async () => {
  const { pool, closed, mostOpen } = openPool(2);
  const [one, two, three] = [issuer('one'), issuer('two'), issuer('three')];
  const busy = await pool.hold(one);
  (await pool.hold(two)).release();
  (await pool.hold(three)).release();
  expect(closed).toEqual(['two']);
  (await pool.hold(two)).release();
  expect(closed).toEqual(['two', 'three']);
  busy.release();
  expect(mostOpen()).toBe(2);
});

it('a request waits until an issuer can be closed', async () => {
  const { pool, closed, mostOpen } = openPool(1);
  const first = await pool.hold(issuer('one'));
  const waiting = Promise.resolve(pool.hold(issuer('two')));
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(closed).toEqual([]);
  first.release();
  (await waiting).release();
  expect(closed).toEqual(['one']);
  expect(mostOpen()).toBe(1);
});

it('an issuer that can not be opened is refused for a moment without another attempt, and holds no place', async () => {
  let isDown = true;
  const { pool, opened, errors } = openPool(1, { fails: () => isDown });
  const acme = issuer('acme');
  await expect(pool.hold(acme)).rejects.toMatchObject({ code: 'too_busy' });
  expect(() => pool.hold(acme)).toThrow(expect.objectContaining({ code: 'too_busy' }));
  expect({ opened, errors: errors.length }).toEqual({ opened: ['acme'], errors: 1 });
  isDown = false;
  // Other settings are another attempt.
  await expect(pool.hold(issuer('acme'))).resolves.toHaveProperty('carnet');
});

it('an issuer with new settings is opened again, and the old one is closed after its last request', async () => {
  const { pool, opened, closed } = openPool(5);
  const old = await pool.hold(issuer('acme'));
  const renewed = await pool.hold(issuer('acme'));
  expect(renewed.carnet).not.toBe(old.carnet);
  expect(closed).toEqual([]);
  old.release();
  await expect.poll(() => closed).toEqual(['acme']);
  expect(opened).toEqual(['acme', 'acme']);
});

it('an idle issuer is closed after its time, and opened again by the next request', async () => {
  const { pool, closed, opened } = openPool(5, { idleMs: 20 });
  const busy = await pool.hold(issuer('busy'));
  const acme = issuer('acme');
  (await pool.hold(acme)).release();
  await expect.poll(() => closed).toEqual(['acme']);
  (await pool.hold(acme)).release();
  expect(opened).toEqual(['busy', 'acme', 'acme']);
  busy.release();
  await pool.close();
});

it('an idle issuer that sends events to webhooks stays open until another one needs its place', async () => {
  const { pool, closed } = openPool(2, { idleMs: 20, worksAlone: ({ name }) => name === 'sender' });
  (await pool.hold(issuer('sender'))).release();
  (await pool.hold(issuer('acme'))).release();
  await expect.poll(() => closed).toEqual(['acme']);
  const busy = await pool.hold(issuer('acme'));
  (await pool.hold(issuer('shop'))).release();
  expect(closed).toEqual(['acme', 'sender']);
  busy.release();
  await pool.close();
});

it('requests for many issuers at once never have more open than may be, and all are answered', async () => {
  const { pool, mostOpen } = openPool(5);
  const issuers = Array.from({ length: 100 }, (_, index) => issuer(`tenant-${index}`));
  const use = async (each: Issuer): Promise<void> => {
    const held: Held = await pool.hold(each);
    await new Promise((resolve) => setTimeout(resolve, 1));
    held.release();
  };
  await Promise.all([...issuers, ...issuers].map(use));
  expect(mostOpen()).toBe(5);
  await pool.close();
});
