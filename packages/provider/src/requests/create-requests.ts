import { createRefuse, type RefuseOptions } from '../validation.ts';
import { type BackchannelRequests, createBackchannelRequests } from './backchannel.ts';
import type { RequestsDependencies } from './challenge.ts';
import { type ConsentRequests, createConsentRequests } from './consent.ts';
import { createDeviceRequests, type DeviceRequests } from './device.ts';
import { createLoginRequests, type LoginRequests } from './login.ts';
import { createLogoutRequests, type LogoutRequests } from './logout.ts';

/** The requests that your pages answer. A challenge is the query parameter with which Carnet redirects to a page. */
export interface Requests {
  readonly login: LoginRequests;
  readonly consent: ConsentRequests;
  readonly logout: LogoutRequests;
  readonly device: DeviceRequests;
  readonly backchannel: BackchannelRequests;
}

export const createRequests = (given: Omit<RequestsDependencies, 'refuse'>, naming: RefuseOptions = {}): Requests => {
  const deps = { ...given, refuse: createRefuse(naming) };
  return {
    login: createLoginRequests(deps),
    consent: createConsentRequests(deps),
    logout: createLogoutRequests(deps),
    device: createDeviceRequests(deps),
    backchannel: createBackchannelRequests(deps),
  };
};
