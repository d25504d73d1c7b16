// Serves with several processes. The first argument is their number.

import cluster from 'node:cluster';

const workers = Number(process.argv[2]);
if (workers > 1 && cluster.isPrimary) {
  for (let index = 0; index < workers; index += 1) cluster.fork();
} else {
  await import('./server.ts');
}
