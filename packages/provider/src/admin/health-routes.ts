import type { HttpResponse, Route } from '../http/types.ts';

export interface HealthDependencies {
  /** What is not ready, by name, each with its problem; empty when all is. */
  readonly ready: () => Promise<Readonly<Record<string, string>>>;
  readonly version: string;
}

const fine: HttpResponse = { status: 200, body: { status: 'ok' } };

const answerReady = async ({ ready }: HealthDependencies): Promise<HttpResponse> => {
  const errors = await ready();
  return Object.keys(errors).length === 0 ? fine : { status: 503, body: { errors } };
};

/** Liveness, readiness and version, the same on either listener. Probes carry no token. */
export const healthRoutes = (deps: HealthDependencies, prefix = ''): readonly Route[] => [
  { method: 'GET', path: `${prefix}/health/alive`, isOpen: true, handle: () => fine },
  { method: 'GET', path: `${prefix}/health/ready`, isOpen: true, handle: () => answerReady(deps) },
  { method: 'GET', path: `${prefix}/version`, handle: () => ({ status: 200, body: { version: deps.version } }) },
];
