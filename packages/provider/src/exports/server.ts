/** `@carnet/provider/server`: what a program that opens ports for a provider shares with it: log, error bodies, headers, URLs. */
export { issuerUrl } from '../flow/urls.ts';
export { jsonContentType, renderError } from '../http/error-body.ts';
export { securityHeaders } from '../http/security-headers.ts';
export { completeResponse, sendResponse } from '../http/send-response.ts';
export { createLogger, type Logger } from '../telemetry/logger.ts';
export type { MetricsSnapshot } from '../telemetry/metrics.ts';
export { scrubText } from '../telemetry/redact.ts';
