import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';

/** The ports in carnet.yaml, and the variables that set them. */
const ports = { PORT: '4444', ADMIN_PORT: '4445', APP_PORT: '3000', PAGES_PORT: '3001', MCP_PORT: '3002' };

/** Copies the project without its data, and gives it other ports. */
export const prepare = async (folder: string) => {
  await cp('.', folder, { recursive: true, filter: (path) => !/node_modules|\.git\b|\.db/.test(path) });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  let config = await readFile('carnet.yaml', 'utf8');
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const [name, port] of Object.entries(ports)) {
    const other = await freePort();
    env[name] = other;
    config = config.replaceAll(`http://localhost:${port}`, `http://localhost:${other}`);
  }
  await writeFile(join(folder, 'carnet.yaml'), config);
  const issuer = `http://localhost:${env.PORT}`;
  env.ISSUER = issuer;
  return { cwd: folder, script: 'start', env, urls: [`http://localhost:${env.APP_PORT}`, issuer] as const };
};
