// A handful of processes that live and die together.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from './workspace.mjs';

/** Whether a program listens on a port of this machine. */
export const isListening = (port) =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Whether anything of a process group is left. */
const isAlive = (groupId) => {
  try {
    process.kill(-groupId, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const signalGroup = (groupId, signal) => {
  try {
    process.kill(-groupId, signal);
  } catch {
    // Gone already.
  }
};

/**
 * Starts processes, each in a group of its own, so that all that one starts can be ended with it.
 * `onDeath(name, how)` is called when one ends that nobody has stopped.
 */
export const createProcesses = ({ onDeath }) => {
  const groups = new Map();
  let stopping = false;
  const columns = 9;

  const start = (name, command, args, { cwd, env }) => {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    if (child.pid !== undefined) groups.set(child.pid, name);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => say(`${name.padEnd(columns)}| ${line}`));
    }
    child.once('error', (error) => onDeath(name, error.message));
    child.once('exit', (code, signal) => {
      if (!stopping) onDeath(name, signal === null ? `exit code ${code}` : `signal ${signal}`);
    });
  };

  const killNow = () => {
    for (const groupId of groups.keys()) signalGroup(groupId, 'SIGKILL');
  };

  /** Asks all of them to end, kills what has not after `graceMs`; resolves with the names of what is still there. */
  const stop = async (graceMs) => {
    stopping = true;
    for (const groupId of groups.keys()) signalGroup(groupId, 'SIGTERM');
    const left = () => [...groups].filter(([groupId]) => isAlive(groupId));
    for (const waitMs of [graceMs, 2_000]) {
      const end = Date.now() + waitMs;
      while (left().length > 0 && Date.now() < end) await pause(50);
      if (left().length > 0) killNow();
    }
    return left().map(([, name]) => name);
  };

  // The last resort, when this process ends without `stop`.
  process.once('exit', killNow);
  return { start, stop, killNow };
};
