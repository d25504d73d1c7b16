import { laws } from '@carnet/adapter-contract/laws';
import { mutants } from '@carnet/adapter-contract/mutants';
import { openAdapter } from '@carnet/adapter-datastore';
import { startDatastore } from '@carnet/test-servers';
import { afterAll, describe, expect, test } from 'vitest';
import { createStore } from './store.ts';

const server = await startDatastore();
afterAll(() => server.close());

/** Mutants whose defect shows only on a store that answers within a millisecond, or in a fixed order. */
const onlyOnMemory = ['expires-after-its-instant', 'locks-in-the-process'];

const cases = mutants.flatMap((mutant) => {
  const law = laws.find(({ name }) => name === mutant.breaks);
  return law && law.needs?.atomicCommit !== 'grant' ? [{ ...mutant, law }] : [];
});

describe('the laws detect each defective store on Datastore', () => {
  const isFast = ({ name }: { readonly name: string }) => onlyOnMemory.includes(name);
  test.skip.for(cases.filter(isFast))('$name (needs a store that answers within a millisecond)', () => {});
  test.for(cases.filter((mutant) => !isFast(mutant)))('$breaks detects $name', async ({ law, wrap }) => {
    const url = createStore(server);
    const opened: { close(): Promise<void> }[] = [];
    const open = async () => {
      const store = await openAdapter({ url });
      opened.push(store);
      return wrap(store);
    };
    try {
      const error = await law.check({ store: await open(), open }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      // A bug in the law or the mutant is no proof.
      expect(error).not.toBeInstanceOf(TypeError);
    } finally {
      await Promise.all(opened.map((store) => store.close()));
    }
  });
});
