import { once } from 'node:events';
import { openAdapter, openMigrator } from '@carnet/adapter-sqlite';
import { claim, put } from './records.ts';

/** What a process of the tests does with the file, once its parent says so. */
const tasks: Readonly<Record<string, (url: string, argument: string) => Promise<unknown>>> = {
  async open(url) {
    try {
      const store = await openAdapter({ url });
      await store.ping();
      await store.close();
      return 'opened';
    } catch (error) {
      return String(error);
    }
  },

  async migrate(url) {
    const migrator = await openMigrator({ url });
    const applied = await migrator.up();
    await migrator.close();
    return applied;
  },

  /** Claims ids, ten at a time, each together with a record of its own; answers with those it won. */
  async claim(url, name) {
    const store = await openAdapter({ url });
    const won: string[] = [];
    for (let first = 0; first < 300; first += 10) {
      const ids = Array.from({ length: 10 }, (_, index) => `${first + index}`);
      const outcomes = await Promise.all(ids.map((id) => store.commit([put(`${id} of ${name}`), claim(id)])));
      won.push(...ids.filter((_, index) => outcomes[index] === undefined));
    }
    await store.close();
    return won;
  },

  /** Writes pairs of records until it is killed, and says which are stored. */
  async write(url, name) {
    const store = await openAdapter({ url });
    const write = async (writer: number) => {
      for (let n = 0; ; n++) {
        const id = `${name}-${writer}-${n}`;
        await store.commit([put(id), put(`${id} too`)]);
        process.send?.(id);
      }
    };
    return Promise.all([0, 1, 2, 3].map(write));
  },

  /** Writes records until a commit is refused, and reports those that were acknowledged. Runs until it is killed. */
  async writeUntilRefused(url) {
    const store = await openAdapter({ url });
    process.send?.('opened');
    const stored: string[] = [];
    try {
      for (let n = 0; ; n++) {
        await store.commit([put(`${n}`)]);
        stored.push(`${n}`);
      }
    } catch (error) {
      return { stored, error: String(error) };
    }
  },

  /** Opens the file as somebody who may not write it; answers with what is said of it. */
  async trespass(url) {
    if (process.getuid?.() === 0) process.setuid?.(65_534);
    return openAdapter({ url }).catch(({ name, message }: Error) => `${name}: ${message}`);
  },
};

const [task = '', url = '', argument = ''] = process.argv.slice(2);
process.send?.('ready');
await once(process, 'message');
const result = await tasks[task]?.(url, argument);
process.send?.(result);
if (task !== 'writeUntilRefused') process.disconnect();
