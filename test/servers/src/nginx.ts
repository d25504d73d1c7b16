import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './executables.ts';
import { acceptsConnections } from './free-port.ts';
import { startServerProcess } from './server-process.ts';

export interface NginxServer {
  readonly port: number;
  close(): Promise<void>;
}

/** All that nginx writes is in its own folder; one process, so that whoever kills it kills all of it. */
const configuration = (folder: string, server: string, http: string): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${http}
  server {
${server}
  }
}
`;

/**
 * Starts `nginx` on 127.0.0.1.
 *
 * @param server what stands in its `server` block, given the port
 * @param http what stands in its `http` block besides
 */
export const startNginx = async (server: (port: number) => string, http = ''): Promise<NginxServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'carnet-nginx-'));
  const file = join(folder, 'nginx.conf');
  try {
    const running = await startServerProcess({
      name: 'nginx',
      command: findProgram('nginx', '`nginx-light` or `nginx` (Debian)'),
      args: (port) => {
        writeFileSync(file, configuration(folder, server(port), http));
        return ['-p', folder, '-c', file];
      },
      folder,
      isReady: ({ port }) => acceptsConnections(port),
      killSignal: 'SIGKILL',
    });
    return {
      port: running.port,
      async close() {
        await running.end('SIGKILL');
        await running.close();
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};
