// `npm start`: the provider, the consent UI and a demo application on this machine, ended together.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createProcesses, isListening } from './processes.mjs';
import { main, setup } from './setup.mjs';
import { childEnv, readIfPresent, root, say } from './workspace.mjs';

const ports = [
  { port: 4444, what: 'the provider' },
  { port: 4445, what: "the provider's admin API" },
  { port: 3000, what: 'the consent UI' },
  { port: 5555, what: 'the demo application' },
];

const origin = (port) => `http://127.0.0.1:${port}`;

/** Browsers accept passkeys for a host name only, so that users do not come to the pages by their address. */
const pages = 'http://localhost:3000';

/** A secret of the consent UI that survives a restart. It is made at the first start, in `.carnet`. */
const keptSecret = () => {
  const folder = join(root, '.carnet');
  const path = join(folder, 'ui-cookie-secret');
  const known = readIfPresent(path)?.trim();
  if (known) return known;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const secret = randomBytes(32).toString('base64url');
  writeFileSync(path, secret, { mode: 0o600 });
  return secret;
};

/** In the order they start; each is waited for before the next. Variables given here go over the environment's. */
const services = [
  {
    name: 'provider',
    folder: root,
    args: ['run', '-s', 'carnet', '--', 'serve', '--dev', '--workers', '1'],
    env: {
      ISSUER: origin(4444),
      HOST: '127.0.0.1',
      PORT: '4444',
      ADMIN_HOST: '127.0.0.1',
      ADMIN_PORT: '4445',
      NODE_ENV: 'development',
      CONSOLE_ENABLED: 'true',
      EVENTS_RETENTION: '7d',
      LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
    },
    ready: [`${origin(4445)}/health/ready`, `${origin(4444)}/.well-known/openid-configuration`],
  },
  {
    name: 'ui',
    folder: join(root, 'packages', 'consent-ui'),
    args: ['run', '-s', 'start'],
    env: {
      PORT: '3000',
      HOST: '127.0.0.1',
      CARNET_UI_URL: pages,
      UI_COOKIE_SECRET: process.env.UI_COOKIE_SECRET || keptSecret(),
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
    },
    ready: [`${origin(3000)}/`],
  },
  {
    name: 'demo',
    folder: join(root, 'examples', 'relying-party'),
    args: ['run', '-s', 'start'],
    env: { PORT: '5555', HOST: '127.0.0.1' },
    ready: [`${origin(5555)}/`],
  },
];

const readyWithinMs = 60_000;
const graceMs = 15_000;

const canListen = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)));
  });

const assertPortsFree = async () => {
  const taken = [];
  for (const { port, what } of ports) {
    if ((await isListening(port)) || !(await canListen(port)))
      taken.push(
        `Port ${port} is taken, and ${what} needs it. \`ss -ltnp | grep :${port}\` or \`lsof -i :${port}\` names what listens.`,
      );
  }
  if (taken.length > 0) {
    throw new Error(`${taken.join('\n')}\nStop what listens there, then run npm start again.`);
  }
};

const isReady = async (url) => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000), redirect: 'manual' });
    await response.arrayBuffer();
    return response.status < 400;
  } catch {
    return false;
  }
};

const untilReady = async ({ name, ready }, isOver) => {
  const end = Date.now() + readyWithinMs;
  for (const url of ready) {
    while (!isOver() && !(await isReady(url))) {
      if (Date.now() > end) throw new Error(`${name} did not answer at ${url} within ${readyWithinMs / 1000} seconds.`);
      await pause(150);
    }
  }
};

const frame = (lines) => {
  const width = Math.max(...lines.map((line) => line.length));
  const bar = '─'.repeat(width + 4);
  return ['', `┌${bar}┐`, ...lines.map((line) => `│  ${line.padEnd(width)}  │`), `└${bar}┘`, ''].join('\n');
};

const summary = frame([
  'Carnet is running.',
  '',
  `Open       ${origin(5555)}`,
  'Sign in    demo@example.com',
  'Password   carnet-demo',
  '',
  'Then try',
  `Account    ${pages}/account: password, authenticator app, passkeys, sessions`,
  'Sign up    with any address: the email is shown in this terminal',
  'Language   at the bottom of each page; dark mode follows your system',
  '',
  `Provider   ${origin(4444)}   admin API ${origin(4445)}`,
  'Console    http://localhost:4445/console',
  `Login UI   ${pages}`,
  'Data       .carnet (remove the folder to begin anew)',
  '',
  'Ctrl-C stops all of it.',
]);

await main(async () => {
  await setup();
  await assertPortsFree();
  let over = false;
  let finish;
  /** Resolves with the exit code when it is time to stop. */
  const ended = new Promise((resolve) => {
    finish = (code) => {
      over = true;
      resolve(code);
    };
  });
  const processes = createProcesses({
    onDeath: (name, how) => {
      say(`${name} ended (${how}); stopping the rest.`);
      finish(1);
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // npm passes on what the terminal sent already, so a second signal alone is no sign of impatience.
    process.on(signal, () => finish(0));
  }
  // npm ends at SIGTERM and takes the shell between us along, which tells nobody.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && finish(0), 250).unref();
  const startAll = async () => {
    for (const service of services) {
      if (over) return;
      say(`starting ${service.name}`);
      processes.start(service.name, 'npm', service.args, { cwd: service.folder, env: childEnv(service.env) });
      await untilReady(service, () => over);
    }
    if (!over) say(summary);
  };
  startAll().catch((error) => {
    say(error.message);
    finish(1);
  });
  const code = await ended;
  const left = await processes.stop(graceMs);
  if (left.length > 0) throw new Error(`Could not stop: ${left.join(', ')}`);
  say('Stopped.');
  return code;
});
process.exit();
