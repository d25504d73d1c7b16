import type { StorageAdapter } from '@carnet/adapter-contract';
import { createDeviceVisit, type DeviceVisitDependencies } from '../interaction/device-visit.ts';
import type { PublicEndpoint } from './endpoint.ts';
import { visitOf, withCookies } from './visit.ts';

export interface DeviceVerificationDependencies extends DeviceVisitDependencies {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
}

/** `GET /oauth2/device/verify` (RFC 8628, section 3.3): a browser with a user code, or with the decision of a page. */
export const createDeviceVerificationEndpoint = (deps: DeviceVerificationDependencies): PublicEndpoint => {
  const visit = createDeviceVisit(deps);
  return async (request) => {
    const browser = visitOf(request, deps);
    return withCookies(await visit(request.params, browser), browser);
  };
};
