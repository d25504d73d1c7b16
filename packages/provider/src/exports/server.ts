/** `@carnet/provider/server`: what a program that opens ports for a provider shares with it: log, error bodies, headers, URLs, requests to other servers. */
export { createTokenBindings } from '../admin/authorize.ts';
export { layoutOf, type OwnParts, withOwnParts } from '../assembly/given-config.ts';
export { openShared } from '../assembly/shared.ts';
export { issuerUrl } from '../flow/urls.ts';
export { koaMiddleware } from '../http/public-handler.ts';
export { completeResponse, jsonContentType, renderError, securityHeaders, sendResponse } from '../http/response.ts';
export { createOutboundClient } from '../outbound/outbound-client.ts';
export { OutboundError } from '../outbound/outbound-error.ts';
export { createLogger, type Logger } from '../telemetry/logger.ts';
export { type MetricsSnapshot, renderMetrics } from '../telemetry/metrics.ts';
export { scrubText } from '../telemetry/redact.ts';
