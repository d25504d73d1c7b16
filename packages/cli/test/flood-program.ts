import { once } from 'node:events';
import { Agent, get } from 'node:http';

// Sends requests to a URL over so many connections, each as soon as the one before was answered, until its stdin ends. Then it
// prints how often each status was answered.
const [url = '', connections = '1'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const counts: Record<string, number> = {};
let isOver = false;

const send = async (): Promise<void> => {
  const [response] = await once(get(url, { agent }), 'response');
  response.resume();
  await once(response, 'end');
  counts[response.statusCode] = (counts[response.statusCode] ?? 0) + 1;
};

process.stdin.resume().once('end', () => {
  isOver = true;
});
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (!isOver) await send();
  }),
);
agent.destroy();
console.log(JSON.stringify(counts));
