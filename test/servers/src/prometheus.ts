import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import bcrypt from 'bcryptjs';
import { findProgram } from './executables.ts';
import { runProgram } from './installed.ts';
import { inNewFolder, type ServerProcess, startServerProcess } from './server-process.ts';

export interface PrometheusOptions {
  /** The port of `GET /metrics` on 127.0.0.1, which is read every 200 milliseconds. */
  readonly metricsPort: number;
  /** What Prometheus has stored already, in the format of OpenMetrics with timestamps. */
  readonly past: string;
  /** The user who may read. */
  readonly username: string;
  readonly password: string;
}

export type PrometheusServer = Pick<ServerProcess, 'kill' | 'close'> & { readonly url: string };

const install = '`prometheus` (Debian)';

const importPast = async (folder: string, data: string, past: string): Promise<void> => {
  const file = join(folder, 'past.txt');
  writeFileSync(file, past);
  const args = ['tsdb', 'create-blocks-from', 'openmetrics', file, data];
  await runProgram(findProgram('promtool', install), args, { cwd: folder });
};

/** Starts Prometheus on 127.0.0.1. Only `username` may read. */
export const startPrometheus = ({
  metricsPort,
  past,
  username,
  password,
}: PrometheusOptions): Promise<PrometheusServer> =>
  inNewFolder('prometheus', async (folder) => {
    const [config, web, data] = [join(folder, 'prometheus.json'), join(folder, 'web.json'), join(folder, 'data')];
    mkdirSync(data);
    await importPast(folder, data, past);
    // JSON is YAML.
    const job = { job_name: 'carnet', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] };
    writeFileSync(
      config,
      JSON.stringify({ global: { scrape_interval: '200ms', scrape_timeout: '200ms' }, scrape_configs: [job] }),
    );
    writeFileSync(web, JSON.stringify({ basic_auth_users: { [username]: bcrypt.hashSync(password, 4) } }));
    const authorization = `Basic ${btoa(`${username}:${password}`)}`;
    const server = await startServerProcess({
      name: 'prometheus',
      command: findProgram('prometheus', install),
      args: (port) => [
        ...[`--config.file=${config}`, `--web.config.file=${web}`, `--web.listen-address=127.0.0.1:${port}`],
        ...[`--storage.tsdb.path=${data}`, '--storage.tsdb.retention.time=30d'],
      ],
      folder,
      isReady: async ({ port }) => (await fetch(`http://127.0.0.1:${port}/-/ready`, { headers: { authorization } })).ok,
    });
    const { port, kill, close } = server;
    return { url: `http://127.0.0.1:${port}`, kill, close };
  });
