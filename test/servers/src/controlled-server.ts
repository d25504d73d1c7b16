import { inNewFolder, type ServerProcess, startServerProcess } from './server-process.ts';

/** A command of a test to a server of this package, beside its API. */
export type ControlCommand<Fault> =
  | { readonly name: 'statistics' }
  | { readonly name: 'fault'; readonly fault: Fault }
  | { readonly name: 'clearFaults' };

export interface ControlledServer<Fault, Statistics> extends ServerProcess {
  /** Has the next calls of an operation fail, before or after they take effect. */
  failNext(fault: Fault): Promise<void>;
  clearFaults(): Promise<void>;
  statistics(): Promise<Statistics>;
}

export interface ControlledServerOptions<Fault, Statistics> {
  readonly name: string;
  /** The path of the program. */
  readonly program: string;
  /** The only argument of the program, as JSON. */
  settings(port: number, folder: string): object;
  send(port: number, command: ControlCommand<Fault>, withinMs?: number): Promise<Statistics>;
}

/** Starts a program of this package on 127.0.0.1, with a folder of its own below the system's temporary folder. */
export const startControlledServer = async <Fault, Statistics extends { readonly pid: number }>(
  options: ControlledServerOptions<Fault, Statistics>,
): Promise<ControlledServer<Fault, Statistics>> => {
  const { name, program, settings, send } = options;
  const server = await inNewFolder(name, (folder) =>
    startServerProcess({
      name,
      command: process.execPath,
      args: (port) => [program, JSON.stringify(settings(port, folder))],
      folder,
      isReady: async ({ pid, port }) => (await send(port, { name: 'statistics' }, 2_000)).pid === pid,
    }),
  );
  const { port } = server;
  return Object.assign(server, {
    failNext: async (fault: Fault) => void (await send(port, { name: 'fault', fault })),
    clearFaults: async () => void (await send(port, { name: 'clearFaults' })),
    statistics: () => send(port, { name: 'statistics' }),
  });
};
