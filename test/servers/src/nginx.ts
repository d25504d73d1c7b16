import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './executables.ts';
import { acceptsConnections } from './free-port.ts';
import { inNewFolder, type ServerProcess, startServerProcess } from './server-process.ts';

export type NginxServer = Pick<ServerProcess, 'port' | 'close'>;

/** All that nginx writes is in its own folder; one process, so that killing it ends all of it. */
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
export const startNginx = (server: (port: number) => string, http = ''): Promise<NginxServer> =>
  inNewFolder('nginx', (folder) => {
    const file = join(folder, 'nginx.conf');
    return startServerProcess({
      name: 'nginx',
      command: findProgram('nginx', '`nginx-light` or `nginx` (Debian)'),
      args: (port) => {
        writeFileSync(file, configuration(folder, server(port), http));
        return ['-p', folder, '-c', file];
      },
      folder,
      isReady: ({ port }) => acceptsConnections(port),
    });
  });
