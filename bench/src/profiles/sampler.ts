// Preloaded into each process of a profiled server: SIGUSR2 starts and ends a CPU profile. The URL of this module names the
// folder of the profile.
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { profilePath } from './profile-path.ts';

/** Ten samples of a request that takes 2 ms. More frequent samples would slow the server down. */
const microsecondsBetweenSamples = 200;

const folder = new URL(import.meta.url).searchParams.get('folder') ?? '.';
const session = new Session();
session.connect();
let count = 0;
let isRecording = false;

const toggle = async (): Promise<void> => {
  isRecording = !isRecording;
  if (isRecording) {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: microsecondsBetweenSamples });
    await session.post('Profiler.start');
    return;
  }
  const { profile } = await session.post('Profiler.stop');
  const path = profilePath(folder, process.pid, count++);
  writeFileSync(`${path}.part`, JSON.stringify(profile));
  renameSync(`${path}.part`, path);
};

process.on('SIGUSR2', () => void toggle());
