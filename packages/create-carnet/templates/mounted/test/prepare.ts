import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

/** What `npm start` (of Next.js `npm run dev`) needs to run in this folder with its data in another one. */
export const prepare = async (folder: string) => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env: NodeJS.ProcessEnv = { ...process.env, PORT: port, APP_URL: url };
  if (env.DATABASE_URL?.startsWith('sqlite:')) env.DATABASE_URL = `sqlite:${join(folder, 'carnet.db')}`;
  //@if bundled
  if (env.ACCOUNTS_DATABASE?.startsWith('sqlite:')) env.ACCOUNTS_DATABASE = `sqlite:${join(folder, 'accounts.db')}`;
  Object.assign(env, { ADMIN_PORT: await freePort(), PAGES_PORT: await freePort() });
  //@end
  //@if mcp
  env.MCP_PORT = await freePort();
  //@end
  return { cwd: '.', script: scripts.dev ? 'dev' : 'start', env, urls: [url] as const };
};
