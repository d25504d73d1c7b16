import { chownSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { findFreePort, signInAtPages } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Image, runContainer, startContainer } from './container.ts';
import { buildah, prepareImages } from './tools.ts';

const reason = await prepareImages();
if (reason !== undefined) console.log(`The tests of the container image are skipped: ${reason}.`);

const name = `localhost/carnet-test-${process.pid}`;
const folder = folderForTests();
let image: Image;
let working = '';

/** An empty folder that belongs to the user of the image, as a runtime makes a volume. */
const newVolume = (): string => {
  const volume = mkdtempSync(join(folder, 'volume-'));
  chownSync(volume, 65_532, 65_532);
  return volume;
};

const ports = async (): Promise<{ PORT: string; ADMIN_PORT: string; HOST: string }> => ({
  PORT: String(await findFreePort()),
  ADMIN_PORT: String(await findFreePort()),
  HOST: '127.0.0.1',
});

/** The size that a registry stores and a client downloads: layers as gzip. */
const compressedBytes = async (): Promise<number> => {
  await buildah('push', '--quiet', name, `oci:${folder}/oci:carnet`);
  const read = (digest: string) => JSON.parse(readFileSync(join(folder, 'oci/blobs/sha256', digest.slice(7)), 'utf8'));
  const index = JSON.parse(readFileSync(join(folder, 'oci/index.json'), 'utf8'));
  const { layers } = read(index.manifests[0].digest) as { layers: { size: number }[] };
  return layers.reduce((sum, { size }) => sum + size, 0);
};

describe.skipIf(reason !== undefined)('the container image', () => {
  beforeAll(async () => {
    const bases = ['slim', 'distroless'].map((each) => `localhost/carnet-${each}`);
    const options = [
      '--isolation',
      'chroot',
      '--pull-never',
      '--format',
      'docker',
      '--file',
      'deploy/image/Dockerfile',
    ];
    const args = [`BUILD_IMAGE=${bases[0]}`, `RUNTIME_IMAGE=${bases[1]}`, 'REVISION=abc123'];
    await buildah('build', ...options, ...args.flatMap((arg) => ['--build-arg', arg]), '--tag', name, '.');
    working = await buildah('from', '--pull-never', name);
    const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', name));
    image = { root: await buildah('mount', working), config: Docker.config };
  }, 900_000);
  afterAll(async () => {
    if (working !== '') await buildah('rm', working);
    await buildah('rmi', '--force', name).catch(() => {});
  }, 60_000);

  test('runs as 65532 with a health check, a volume, SIGTERM and labels', () => {
    expect(image.config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['/usr/local/bin/carnet'],
      Cmd: ['serve'],
      StopSignal: 'SIGTERM',
      WorkingDir: '/data',
      Volumes: { '/data': {} },
      Healthcheck: { Test: ['CMD', '/usr/local/bin/carnet', 'health'] },
    });
    expect(image.config.Labels).toMatchObject({
      'org.opencontainers.image.source': 'https://github.com/carnet-oidc/carnet',
      'org.opencontainers.image.licenses': 'MIT',
      'org.opencontainers.image.revision': 'abc123',
    });
  });

  test('the image has less than 120 MB compressed, Node.js included', async () => {
    const megabytes = (await compressedBytes()) / 1e6;
    console.log(`The image has ${megabytes.toFixed(1)} MB compressed.`);
    expect(megabytes).toBeLessThan(120);
  });

  test('has a bill of materials with the packages that it contains', () => {
    const bill = JSON.parse(readFileSync(join(image.root, 'app/carnet.cdx.json'), 'utf8'));
    expect(bill.bomFormat).toBe('CycloneDX');
    const names = bill.components.map((each: { group?: string; name: string }) => `${each.group ?? ''}/${each.name}`);
    expect(names).toEqual(expect.arrayContaining(['@carnet/provider', '/oidc-provider', '/next', '/pg', '/ioredis']));
    expect(names).not.toContain('/sharp');
    expect(names).not.toContain('/vitest');
    for (const { purl } of bill.components) expect(purl).toMatch(/^pkg:npm\//);
  });

  test('serves as PID 1 with a read-only root, writes to the volume only, and is ready soon', async () => {
    const volume = newVolume();
    const env = await ports();
    const container = startContainer(image, volume, ['serve', '--dev'], env);
    const readyMs = await container.printed('"msg":"ready"');
    console.log(`The image is ready ${(readyMs / 1000).toFixed(2)} s after its start.`);
    expect(readyMs).toBeLessThan(30_000);
    expect(statSync(`/proc/${container.pid()}`).uid).toBe(65_532);
    expect(readFileSync(`/proc/${container.pid()}/status`, 'utf8')).toMatch(/NSpid:\t\d+\t1\n/);
    expect(statSync(join(volume, '.carnet/carnet.db')).uid).toBe(65_532);
    const write =
      "for (const path of ['/app/x', '/tmp/x', '/home/nonroot/x', '/data/x']) try { fs.writeFileSync(path, ''); console.log(path) } catch {}";
    const { output } = await runContainer(image, volume, ['/nodejs/bin/node', '-e', write]);
    expect(output).toBe('/data/x\n');

    const healthy = await runContainer(image, volume, ['/usr/local/bin/carnet', 'health'], env);
    expect(healthy).toEqual({ code: 0, output: `healthy: http://127.0.0.1:${env.ADMIN_PORT}/health/ready\n` });
    process.kill(container.pid(), 'SIGTERM');
    expect(await container.exited).toBe(0);
    const gone = await runContainer(image, volume, ['/usr/local/bin/carnet', 'health'], env);
    expect(gone.code).toBe(1);
    expect(gone.output).toContain('unhealthy: no listener at');
  });

  test('answers a request that is in progress at SIGTERM, with two workers, and exits with 0', async () => {
    const env = await ports();
    const container = startContainer(image, newVolume(), ['serve', '--dev', '--workers', '2'], env);
    await container.printed('"msg":"ready"');
    const url = `http://127.0.0.1:${env.PORT}/.well-known/openid-configuration`;
    const status = new Promise<number | undefined>((resolve, reject) => {
      const request = get(url, { headers: { host: '127.0.0.1:4444', 'transfer-encoding': 'chunked' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      // The request is complete only after the signal.
      request.flushHeaders();
      setTimeout(() => process.kill(container.pid(), 'SIGTERM'), 300);
      setTimeout(() => request.end(), 600);
    });
    expect(await status).toBeDefined();
    expect(await container.exited).toBe(0);
  });

  test('carnet demo signs its user in at the pages, and ends with 0', async () => {
    const { ADMIN_PORT, PORT, HOST } = await ports();
    const [issuer, pages] = [`http://localhost:${PORT}`, `http://localhost:${await findFreePort()}`] as const;
    const args = ['demo', '--issuer', issuer, '--pages', pages];
    const container = startContainer(image, newVolume(), args, { ADMIN_PORT, HOST });
    await container.printed('Password   carnet-demo');
    const { url, html } = await signInAtPages(`${pages}/account`, 'demo@example.com', 'carnet-demo');
    expect(url).toBe(`${pages}/account`);
    expect(html).toContain('demo@example.com');
    process.kill(container.pid(), 'SIGTERM');
    expect(await container.exited).toBe(0);
  });

  test('carnet ui serves the pages, and carnet health finds them', async () => {
    const { PORT, HOST } = await ports();
    const env = { PORT, HOST, ADMIN_PORT: String(await findFreePort()) };
    const container = startContainer(image, newVolume(), ['ui'], env);
    await container.printed('The pages are ready');
    expect(await (await fetch(`http://127.0.0.1:${PORT}/login`)).text()).toContain('<html');
    const { code, output } = await runContainer(image, newVolume(), ['/usr/local/bin/carnet', 'health'], env);
    expect({ code, output }).toEqual({ code: 0, output: `healthy: http://127.0.0.1:${PORT}/\n` });
    process.kill(container.pid(), 'SIGTERM');
    expect(await container.exited).toBe(0);
  });

  test.each(['postgres://user@127.0.0.1:1/none', 'redis://127.0.0.1:1'])('has the adapter of %s', async (url) => {
    const command = ['/usr/local/bin/carnet', 'migrate', 'status'];
    const { output } = await runContainer(image, newVolume(), command, { DATABASE_URL: url });
    expect(output).not.toMatch(/not installed|Cannot find/);
    expect(output).toMatch(/does not answer|unavailable|refused|ECONNREFUSED/i);
  });

  test('computes hashes by the native libraries of its platform', async () => {
    const program = `
      const packages = '/app/node_modules/.pnpm/';
      const folderOf = (name) => fs.readdirSync(packages).find((each) => each.startsWith(name.replace('/', '+') + '@'));
      const hash = (name, ...costs) => require(packages + folderOf(name) + '/node_modules/' + name).hash('x', ...costs);
      Promise.all([hash('@node-rs/bcrypt', 4), hash('@node-rs/argon2')]).then((hashes) => console.log(hashes.map((each) => each.slice(0, 4)).join(' ')));`;
    const { output } = await runContainer(image, newVolume(), ['/nodejs/bin/node', '-e', program]);
    expect(output).toBe('$2b$ $arg\n');
  });
});
