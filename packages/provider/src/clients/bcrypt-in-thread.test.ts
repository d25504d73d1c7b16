import bcryptjs from 'bcryptjs';
import { describe, expect, test } from 'vitest';
import { createBcryptInThread } from './bcrypt-in-thread.ts';

const cost = 4;
const encoded = bcryptjs.hashSync('the secret of a test', cost);

describe('bcrypt in a thread', () => {
  const bcrypt = createBcryptInThread();

  test('knows the right secret, and no other', async () => {
    expect(await bcrypt.compare('the secret of a test', encoded)).toBe(true);
    expect(await bcrypt.compare('another secret', encoded)).toBe(false);
  });

  test('makes hashes that every bcrypt reads', async () => {
    const made = await bcrypt.hash('another secret', cost);
    expect(await bcryptjs.compare('another secret', made)).toBe(true);
  });

  test('gives each question its own answer, however many are asked at once', async () => {
    const secrets = Array.from({ length: 20 }, (_, index) =>
      index % 3 === 0 ? 'the secret of a test' : `wrong ${index}`,
    );
    const answers = await Promise.all(secrets.map((secret) => bcrypt.compare(secret, encoded)));
    expect(answers).toEqual(secrets.map((secret) => secret === 'the secret of a test'));
  });

  test('leaves the event loop to others while it works', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await bcrypt.hash('a secret that takes its time', 12);
    clearInterval(timer);
    // On the event loop it would be a turn every 100 ms: three or four.
    expect(turns).toBeGreaterThan(20);
  });

  test('fails what it was asked when its thread ends, with an error or without', async () => {
    for (const [program, message] of [
      ['process.exit()', 'has ended'],
      ['throw new Error("lost")', 'lost'],
    ]) {
      const broken = createBcryptInThread(new URL(`data:text/javascript,${program}`));
      await expect(broken.compare('a secret', encoded)).rejects.toThrow(message);
    }
  });

  test('hands on what bcrypt says of nonsense, and goes on', async () => {
    await expect(bcrypt.compare('a secret', 5 as never)).rejects.toThrow('Illegal arguments');
    expect(await bcrypt.compare('the secret of a test', encoded)).toBe(true);
  });
});
