// Runs the programs of the image once, so that Node.js writes the code that it compiles into NODE_COMPILE_CACHE.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const main = '/app/node_modules/@carnet/cli/dist/main.js';
const env = { ...process.env, PORT: '0', ADMIN_PORT: '0' };

/** Runs the command until it prints `ready`, if that is given, and then ends it as an orchestrator does. */
const run = async (args, { ready, variables = {} } = {}) => {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 2],
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    process.stdout.write(`${line}\n`);
    if (ready?.test(line)) child.kill('SIGTERM');
  });
  const [code] = await once(child, 'exit');
  if (ready !== undefined && code !== 0) throw new Error(`carnet ${args.join(' ')} ended with ${code}`);
};

await run(['serve', '--dev'], { ready: /"msg":"ready"/ });
await run(['serve', '--dev', '--workers', '2'], { ready: /"msg":"ready"/ });
await run(['ui'], { ready: /The pages are ready/ });
await run(['health']);
// Loads the drivers; there is no such server.
for (const url of ['postgres://127.0.0.1:1/none', 'redis://127.0.0.1:1']) {
  await run(['migrate', 'status'], { variables: { DATABASE_URL: url } });
}
