import { z } from 'zod';
import type { HttpResponse, Route } from '../http/types.ts';

export interface HealthDependencies {
  /** The problems of parts that are not ready, by name. Empty if all are ready. */
  readonly ready: () => Promise<Readonly<Record<string, string>>>;
  readonly version: string;
  /** The state of each user directory. Absent: no directories. */
  readonly directories?: () => Readonly<Record<string, string>>;
}

const fine: HttpResponse = { status: 200, body: { status: 'ok' } };

const answerReady = async ({ ready, directories }: HealthDependencies): Promise<HttpResponse> => {
  const errors = await ready();
  if (Object.keys(errors).length > 0) return { status: 503, body: { errors } };
  return directories === undefined ? fine : { status: 200, body: { status: 'ok', directories: directories() } };
};

const healthy = z.strictObject({ status: z.literal('ok') }).meta({ id: 'HealthStatus' });

const readyAnswer = healthy
  .extend({
    directories: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'The state of each user directory at its last check. A directory that fails does not change the status.',
      ),
  })
  .meta({ id: 'ReadyStatus' });

/** Liveness, readiness and version, the same on either listener. Probes carry no token. */
export const healthRoutes = (deps: HealthDependencies, prefix = ''): readonly Route[] => [
  {
    method: 'GET',
    path: `${prefix}/health/alive`,
    isOpen: true,
    operationId: 'isAlive',
    summary: 'Check whether the process is alive.',
    answers: { 200: healthy },
    handle: () => fine,
  },
  {
    method: 'GET',
    path: `${prefix}/health/ready`,
    isOpen: true,
    operationId: 'isReady',
    summary: 'Check whether the store answers, is fit for use and accepts commits.',
    answers: { 200: readyAnswer, 503: z.strictObject({ errors: z.record(z.string(), z.string()) }) },
    handle: () => answerReady(deps),
  },
  {
    method: 'GET',
    path: `${prefix}/version`,
    operationId: 'getVersion',
    summary: 'Get the version of Carnet.',
    answers: { 200: z.strictObject({ version: z.string() }) },
    handle: () => ({ status: 200, body: { version: deps.version } }),
  },
];
