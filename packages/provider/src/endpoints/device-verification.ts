import type { StorageAdapter } from '@carnet/adapter-contract';
import type { FlowEngine } from '../interaction/create-flow-engine.ts';
import type { PublicEndpoint } from './endpoint.ts';
import { visitOf, withCookies } from './visit.ts';

export interface DeviceVerificationDependencies {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly engine: Pick<FlowEngine, 'deviceVisit'>;
}

/** `GET /oauth2/device/verify` (RFC 8628, section 3.3): a browser with a user code, or with the decision of a page. */
export const createDeviceVerificationEndpoint =
  (deps: DeviceVerificationDependencies): PublicEndpoint =>
  async (request) => {
    const browser = visitOf(request, deps);
    return withCookies(await deps.engine.deviceVisit(request.params, browser), browser);
  };
