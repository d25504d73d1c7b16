// `npm run registry`: serves the packages of this clone as npm will, until Ctrl-C.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages } from '../../scripts/pack.mjs';
import { publishPackages } from '../../scripts/publish.mjs';
import { openRegistry, publisherEnv } from './registry.ts';

console.log('registry: building and publishing the packages of this clone (two minutes)');
const registry = await openRegistry();
const folder = mkdtempSync(join(tmpdir(), 'carnet-registry-'));
await publishPackages({
  tarballs: await packPackages(),
  registry: registry.url,
  env: publisherEnv(folder, registry.url),
});
rmSync(folder, { recursive: true });
console.log(`
A registry has the packages of this clone until Ctrl-C. In another terminal:

  export npm_config_registry=${registry.url}
  npm create carnet my-login
`);
process.once('SIGINT', async () => {
  await registry.close();
  process.exit(0);
});
