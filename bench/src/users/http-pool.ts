import { Pool } from 'undici';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface HttpPool {
  /** Throws unless the status is as expected. */
  send(request: Request, ...expected: readonly number[]): Promise<Answer>;
  close(): Promise<void>;
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Connections to one origin that stay open. */
export const openHttpPool = (url: string, connections: number): HttpPool => {
  const pool = new Pool(new URL(url).origin, { connections, pipelining: 1 });
  return {
    async send(request, ...expected) {
      const { statusCode, headers, body } = await pool.request(request);
      const text = await body.text();
      if (expected.includes(statusCode)) return { status: statusCode, headers, body: text };
      throw new Error(`${statusCode} for ${request.method} ${request.path.split('?', 1)[0]}: ${text.slice(0, 300)}`);
    },
    close: () => pool.close(),
  };
};
