import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Write } from '@carnet/adapter-contract';
import { openAdapter } from '@carnet/adapter-dynamodb';

type Commits = readonly (readonly Write[])[];

interface Outcome {
  readonly index: number;
  readonly hasWon: boolean;
}

/** A process with a store of its own, which carries out commits all at once. */
export const startCommitProcess = async (url: string) => {
  const child = fork(fileURLToPath(import.meta.url), [url], {
    execArgv: ['--conditions=@carnet/source', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  });
  const exited = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error('the process ended before it was ready'))),
  ]);
  return {
    /** The outcomes that were acknowledged, until all are there or the process was killed. */
    async commit(commits: Commits): Promise<readonly Outcome[]> {
      const outcomes: Outcome[] = [];
      const isComplete = Promise.withResolvers<void>();
      const collect = (outcome: Outcome): void => {
        outcomes.push(outcome);
        if (outcomes.length === commits.length) isComplete.resolve();
      };
      child.on('message', collect);
      child.send(commits);
      await Promise.race([isComplete.promise, exited]);
      child.off('message', collect);
      return outcomes;
    },
    /** Resolves when the first outcome of a commit is there. */
    firstOutcome: () => once(child, 'message'),
    async close() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

const [, program, url = ''] = process.argv;
if (program === fileURLToPath(import.meta.url)) {
  const store = await openAdapter({ url });
  const carryOut = async (writes: readonly Write[], index: number): Promise<void> => {
    const conflict = await store.commit(writes);
    process.send?.({ index, hasWon: conflict === undefined } satisfies Outcome);
  };
  process.on('message', (commits: Commits) => void commits.map(carryOut));
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}
