// Takes docs/images/console.png again: the overview with the metrics of an imagined day.
import { fileURLToPath } from 'node:url';
import { launchChromium } from './chromium.ts';
import { startConsole } from './start-console.ts';

const minuteMs = 60_000;
const start = Date.parse('2026-11-25T16:00:00Z');
const minutes = 24 * 60;

/** How busy the day is at a time, 0 to 1. */
const busyAt = (minute: number): number =>
  0.08 + Math.max(0, Math.sin(((minute - 840) / minutes) * 2 * Math.PI)) ** 1.5;

const sums = [...Array(minutes + 1).keys()].reduce<number[]>((all, minute) => {
  all.push((all.at(-1) ?? 0) + busyAt(minute));
  return all;
}, []);

const metrics = (at: number): string => {
  const minute = Math.min(minutes, Math.max(0, Math.round((at - start) / minuteMs)));
  const sum = sums[minute] ?? 0;
  const count = Math.round(sum * 240);
  const audited = (action: string, outcome: string, value: number) =>
    `carnet_audit_events_total{action="${action}",outcome="${outcome}"} ${Math.round(value)}`;
  const bucket = (le: string, share: number) =>
    `http_server_request_duration_seconds_bucket{listener="public",le="${le}"} ${Math.round(count * share)}`;
  const outage = Math.max(0, Math.min(minute, 1_030) - 1_010) * 3;
  const requests = (status: string, value: number) =>
    `http_server_request_duration_seconds_count{listener="public",http_response_status_code="${status}"} ${value}`;
  return [
    ...[audited('login', 'success', sum * 32), audited('sign_in.password', 'denied', sum * 3 + outage)],
    ...[audited('sign_in.password', 'success', sum * 21), audited('sign_in.passkey', 'success', sum * 8)],
    ...[audited('sign_in.factor', 'success', sum * 6), audited('sign_in.provider', 'success', sum * 5)],
    ...[bucket('0.005', 0.7), bucket('0.01', 0.9), bucket('0.025', 0.97), bucket('0.05', 1), bucket('+Inf', 1)],
    ...[requests('200', count - outage), requests('503', outage), 'process_resident_memory_bytes 312475648'],
  ].join('\n');
};

const console = await startConsole({ name: 'Dana Moreno', metrics, start, samples: minutes });
const chromium = await launchChromium();
try {
  const page = await chromium.newPage({ viewport: { width: 1200, height: 1000 }, colorScheme: 'light', locale: 'en' });
  await page.goto(`${console.url}/`);
  await page.screenshot({ path: fileURLToPath(new URL('../../docs/images/console.png', import.meta.url)) });
} finally {
  await chromium.close();
  await console.close();
}
