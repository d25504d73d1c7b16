import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { inProcesses, startProcess } from './process.ts';
import { present } from './records.ts';
import { connect, freshFile, openStore } from './store-file.ts';

const numbers = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `${n}`);

describe('several processes on one file', () => {
  test('of three that claim the same ids one wins each, with all of its commit, and none is told of a lock', async () => {
    const file = freshFile();
    const store = await openStore(file);
    const won = (await inProcesses(3, 'claim', file)) as string[][];
    expect(won.flat().sort()).toEqual([...numbers(300)].sort());
    const attempted = numbers(3).flatMap((name) => numbers(300).map((id) => `${id} of ${name}`));
    const expected = won.flatMap((ids, name) => ids.map((id) => `${id} of ${name}`));
    expect([...(await present(store, attempted))].sort()).toEqual(expected.sort());
  });

  test('what one had stored when it was killed is there, whole, and the others go on', async () => {
    const file = freshFile();
    const survivor = await openStore(file);
    for (const name of numbers(3)) {
      const child = await startProcess('write', file, name);
      const stored: string[] = [];
      child.on('message', (id: string) => void (stored.push(id) === 200 && child.kill('SIGKILL')));
      child.send('begin');
      await once(child, 'close');
      expect(stored.length).toBeGreaterThanOrEqual(200);
      const pairs = stored.flatMap((id) => [id, `${id} too`]);
      expect(await present(survivor, pairs)).toEqual(pairs);
    }
    const database = connect(file);
    expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    const { halves } = database
      .prepare(
        `select count(*) as halves from carnet_record as a where not exists
          (select 1 from carnet_record as b where b.id = iif(a.id like '% too', substr(a.id, 1, length(a.id) - 4), a.id || ' too'))`,
      )
      .get() as { halves: number };
    expect(halves).toBe(0);
  });

  test('what the only one had stored when it was killed is there when the file is opened again', async () => {
    const file = freshFile();
    const child = await startProcess('write', file, 'only');
    const stored: string[] = [];
    child.on('message', (id: string) => void (stored.push(id) === 200 && child.kill('SIGKILL')));
    child.send('begin');
    await once(child, 'close');
    expect(await present(await openStore(file), stored)).toEqual(stored);
  });
});
