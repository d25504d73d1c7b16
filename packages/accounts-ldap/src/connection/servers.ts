import type { Connection } from './connection.ts';
import type { ServerUrl } from './server-url.ts';

const firstDelayMs = 30_000;
const longestDelayMs = 300_000;

/** The servers of a directory, some of which may have failed. */
export interface Servers {
  /**
   * Opens a connection to the first server that answers: those that have not failed first, each group in the configured
   * order. Failed servers are tried last, not left out, so that a single server is used as soon as it answers again.
   */
  connect(open: (server: ServerUrl) => Promise<Connection>): Promise<Connection>;
  /** Marks the server as failed. It is probed after 30 seconds, and after each failed probe in twice the time, up to 5 minutes. */
  fail(url: string): void;
  hasAnother(url: string): boolean;
  close(): void;
}

interface ServersOptions {
  readonly servers: readonly ServerUrl[];
  /** Resolves if the server answers. */
  probe(server: ServerUrl): Promise<void>;
  /** A server that had failed answers again. `later`: the servers behind it in the order. */
  onRecovered(later: readonly string[]): void;
}

/** Remembers which servers fail, and probes them in the background. */
export const createServers = ({ servers, probe, onRecovered }: ServersOptions): Servers => {
  const failed = new Map<string, NodeJS.Timeout>();

  const recover = (server: ServerUrl): void => {
    const timer = failed.get(server.url);
    if (timer === undefined) return;
    clearTimeout(timer);
    failed.delete(server.url);
    onRecovered(servers.slice(servers.indexOf(server) + 1).map(({ url }) => url));
  };
  const probeAfter = (server: ServerUrl, delayMs: number): void => {
    const check = async () => {
      try {
        await probe(server);
        recover(server);
      } catch {
        if (failed.has(server.url)) probeAfter(server, Math.min(delayMs * 2, longestDelayMs));
      }
    };
    failed.set(server.url, setTimeout(check, delayMs).unref());
  };
  const fail = (url: string): void => {
    const server = servers.find((each) => each.url === url);
    if (server !== undefined && !failed.has(url)) probeAfter(server, firstDelayMs);
  };

  return {
    async connect(open) {
      const inOrder = [
        ...servers.filter(({ url }) => !failed.has(url)),
        ...servers.filter(({ url }) => failed.has(url)),
      ];
      let last: unknown;
      for (const server of inOrder) {
        try {
          const connection = await open(server);
          recover(server);
          return connection;
        } catch (error) {
          fail(server.url);
          last = error;
        }
      }
      throw last;
    },
    fail,
    hasAnother: (url) => servers.some((each) => each.url !== url && !failed.has(each.url)),
    close() {
      for (const timer of failed.values()) clearTimeout(timer);
      failed.clear();
    },
  };
};
