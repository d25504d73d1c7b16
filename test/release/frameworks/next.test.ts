import { test } from 'vitest';
import { createFolder, npmInstall } from '../user/folder.ts';
import { readQuickStart } from './quick-start.ts';
import { testSignIn } from './sign-in.ts';

/** In a file of its own: the compiler of Next.js works while the other programs run. */
test('a user signs in through the program of next.md, in an empty folder', async () => {
  const start = readQuickStart('next.md');
  const empty = createFolder('next');
  await npmInstall(empty, start.packages);
  await testSignIn(empty, start);
}, 240_000);
