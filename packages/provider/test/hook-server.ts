import type { IncomingHttpHeaders } from 'node:http';
import { listen } from '@carnet/test-servers/listen';
import type { Json } from './login.ts';

export interface HookCall {
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

export interface HookAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** Never answers. */
  readonly hangs?: true;
}

/** Where token hooks are asked; it says what it is told to say. */
export const startHookServer = async () => {
  const calls: HookCall[] = [];
  let answer: HookAnswer = { status: 204 };
  const { origin, close } = await listen(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    calls.push({ headers: req.headers, body: JSON.parse(Buffer.concat(chunks).toString()) as Json });
    if (answer.hangs) return;
    res.writeHead(answer.status);
    res.end(typeof answer.body === 'string' ? answer.body : answer.body && JSON.stringify(answer.body));
  });
  return {
    url: `${origin}/hook`,
    calls,
    say: (next: HookAnswer) => {
      answer = next;
    },
    stop: close,
  };
};
