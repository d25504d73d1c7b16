/** `@carnet/provider/server`: what a program that opens ports for a provider shares with it: log, error bodies, headers, URLs. */
export { openShared } from '../assembly/shared.ts';
export { issuerUrl } from '../flow/urls.ts';
export { completeResponse, jsonContentType, renderError, securityHeaders, sendResponse } from '../http/response.ts';
export { createLogger, type Logger } from '../telemetry/logger.ts';
export type { MetricsSnapshot } from '../telemetry/metrics.ts';
export { scrubText } from '../telemetry/redact.ts';
