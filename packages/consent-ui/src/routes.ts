import { showAccount, submitAccount } from './account/account.tsx';
import { showAsset } from './brand/show-asset.ts';
import { showConsent, submitConsent } from './consent/consent.tsx';
import { showDevice, showDeviceSuccess, submitDevice } from './device/device.tsx';
import { submitEmailCode } from './email-sign-in/email-code.tsx';
import { submitEnrolment } from './factors/submit-enrolment.ts';
import {
  startAgain,
  submitFactor,
  submitKeepAccount,
  submitNewPassword,
  submitPasskey,
} from './factors/submit-step.ts';
import { invitation } from './invitation/invitation.ts';
import { showLogin, submitLogin } from './login/login.tsx';
import { showLogout, submitLogout } from './logout/logout.tsx';
import { submitOrganization } from './organizations/submit-organization.ts';
import { showError } from './page/error-page.tsx';
import { showHome } from './page/home-page.ts';
import { receiveLogout } from './providers/backchannel-logout.ts';
import { submitProvider } from './providers/begin.ts';
import { showCallback, submitCallback } from './providers/callback.tsx';
import { submitLink } from './providers/link.tsx';
import { submitNewAccount } from './providers/new-account.tsx';
import { providerOfPath } from './providers/provider-name.ts';
import { showMetadata } from './providers/show-metadata.ts';
import { showSignedOut } from './providers/sign-out.ts';
import { showRecovery, submitRecovery } from './recovery/recovery.tsx';
import { recoveryPassword } from './recovery/recovery-password.ts';
import type { Operation } from './services.ts';
import { showConfirmSignUp, submitConfirmSignUp } from './sign-up/confirm-sign-up.tsx';
import { showSignUp, submitSignUp } from './sign-up/sign-up.tsx';

/** The operations of a path: GET, and POST of its form. */
export type Route = readonly [get: Operation, post?: Operation];

/** The pages by their paths. */
const exact = new Map<string, Route>([
  ['/', [showHome]],
  ['/consent', [showConsent, submitConsent]],
  ['/device', [showDevice, submitDevice]],
  ['/device/success', [showDeviceSuccess]],
  ['/error', [showError]],
  ['/invitation', invitation],
  ['/login', [showLogin, submitLogin]],
  ['/login/email-code', [startAgain, submitEmailCode]],
  ['/login/enrol', [startAgain, submitEnrolment]],
  ['/login/factor', [startAgain, submitFactor]],
  ['/login/keep-account', [startAgain, submitKeepAccount]],
  ['/login/link', [startAgain, submitLink]],
  ['/login/new-account', [startAgain, submitNewAccount]],
  ['/login/new-password', [startAgain, submitNewPassword]],
  ['/login/organization', [startAgain, submitOrganization]],
  ['/login/passkey', [startAgain, submitPasskey]],
  ['/login/provider', [startAgain, submitProvider]],
  ['/logout', [showLogout, submitLogout]],
  ['/recovery', [showRecovery, submitRecovery]],
  ['/recovery/password', recoveryPassword],
  ['/sign-up', [showSignUp, submitSignUp]],
  ['/sign-up/confirm', [showConfirmSignUp, submitConfirmSignUp]],
]);

const account: Route = [showAccount, submitAccount];
const callback: Route = [showCallback, submitCallback];

/** The route of a path. Each of `/account` and `/brand` knows the paths below it. */
export const routeOf = (path: string): Route | undefined => {
  if (/^\/account(?:\/|$)/.test(path)) return account;
  if (providerOfPath(path) !== undefined) return callback;
  if (providerOfPath(path, 'metadata') !== undefined) return [showMetadata];
  if (providerOfPath(path, 'logout') !== undefined) return [receiveLogout, receiveLogout];
  if (providerOfPath(path, 'signedOut') !== undefined) return [showSignedOut];
  return path.startsWith('/brand/') ? [showAsset] : exact.get(path);
};
