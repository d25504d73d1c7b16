import { createRefuse, type RefuseOptions } from '../validation.ts';
import { type BackchannelDependencies, type BackchannelRequests, createBackchannelRequests } from './backchannel.ts';
import { type ConsentDependencies, type ConsentRequests, createConsentRequests } from './consent.ts';
import { createDeviceRequests, type DeviceDependencies, type DeviceRequests } from './device.ts';
import { createLoginRequests, type LoginRequests } from './login.ts';
import { createLogoutRequests, type LogoutDependencies, type LogoutRequests } from './logout.ts';

/** The requests that your pages answer. A challenge is the query parameter with which Carnet redirects to a page. */
export interface Requests {
  readonly login: LoginRequests;
  readonly consent: ConsentRequests;
  readonly logout: LogoutRequests;
  readonly device: DeviceRequests;
  readonly backchannel: BackchannelRequests;
}

export interface RequestsDependencies
  extends Omit<ConsentDependencies & BackchannelDependencies & DeviceDependencies & LogoutDependencies, 'refuse'> {}

export const createRequests = (dependencies: RequestsDependencies, naming: RefuseOptions = {}): Requests => {
  const deps = { ...dependencies, refuse: createRefuse(naming) };
  return {
    login: createLoginRequests(deps),
    consent: createConsentRequests(deps),
    logout: createLogoutRequests(deps),
    device: createDeviceRequests(deps),
    backchannel: createBackchannelRequests(deps),
  };
};
