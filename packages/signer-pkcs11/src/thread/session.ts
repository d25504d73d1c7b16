import type { TokenChoice } from '../url.ts';
import { codeOf, FailureError } from './failure.ts';
import type { Handle, Module, Pkcs11 } from './module.ts';

/** An open session, logged in, of this thread alone: a session runs one operation at a time. */
export interface Session {
  readonly pkcs11: Pkcs11;
  readonly module: Module;
  readonly handle: Handle;
}

/** Runs a call of which these codes are no failure. */
const tolerating = (codes: readonly string[], call: () => void): void => {
  try {
    call();
  } catch (error) {
    if (!codes.includes(codeOf(error) ?? '')) throw error;
  }
};

const trimmed = (padded: string): string => padded.replaceAll('\0', '').trim();

/** A slot id is an unsigned long in the byte order of the machine. */
const slotIdOf = (slot: Handle): string =>
  (slot.length === 8 ? slot.readBigUInt64LE() : slot.readUInt32LE()).toString();

interface Token {
  readonly slot: Handle;
  readonly label: string;
  readonly attributes: Required<TokenChoice>;
  readonly flags: number;
}

const tokensOf = ({ CKF_TOKEN_INITIALIZED }: Pkcs11, module: Module): readonly Token[] =>
  module.C_GetSlotList(true).flatMap((slot) => {
    try {
      const { label, serialNumber, manufacturerID, model, flags } = module.C_GetTokenInfo(slot);
      if ((flags & CKF_TOKEN_INITIALIZED) === 0) return [];
      const attributes = {
        token: trimmed(label),
        serial: trimmed(serialNumber),
        manufacturer: trimmed(manufacturerID),
        model: trimmed(model),
        'slot-id': slotIdOf(slot),
      };
      return [{ slot, label: attributes.token, attributes, flags }];
    } catch {
      // Another token may have been removed since the list was made.
      return [];
    }
  });

const findToken = (pkcs11: Pkcs11, module: Module, choice: TokenChoice): Token => {
  const tokens = tokensOf(pkcs11, module);
  const found = tokens.filter(({ attributes }) =>
    Object.entries(choice).every(([name, value]) => attributes[name as keyof TokenChoice] === value),
  );
  if (found.length === 1 && found[0]) return found[0];
  if (tokens.length === 0)
    throw new FailureError(
      'unavailable',
      'the module has no token: connect the HSM, and check the configuration of the module',
    );
  const labels = [...new Set(tokens.map(({ label }) => JSON.stringify(label)))].join(', ');
  throw new FailureError(
    'unfit',
    found.length === 0
      ? `no token matches the URL of the signer; the module has the tokens ${labels}`
      : `${found.length} tokens match the URL of the signer: add serial= or slot-id=`,
  );
};

/** A wrong PIN would lock the token, so Carnet does not use the last try. */
const assertNotLastTry = ({ CKF_USER_PIN_FINAL_TRY, CKF_USER_PIN_LOCKED }: Pkcs11, { flags }: Token): void => {
  if ((flags & CKF_USER_PIN_LOCKED) !== 0)
    throw new FailureError('unfit', 'the PIN is locked: unlock it with the tool of the module');
  if ((flags & CKF_USER_PIN_FINAL_TRY) !== 0)
    throw new FailureError('unfit', 'one more wrong PIN would lock the token: log in once with the tool of the module');
};

/** Opens a session and logs in. The login is of the whole process: other sessions of it may have logged in before. */
export const openSession = (
  pkcs11: Pkcs11,
  module: Module,
  { token: choice, pin }: { readonly token: TokenChoice; readonly pin: string },
): Session => {
  tolerating(['CKR_CRYPTOKI_ALREADY_INITIALIZED'], () => module.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK }));
  const token = findToken(pkcs11, module, choice);
  assertNotLastTry(pkcs11, token);
  const handle = module.C_OpenSession(token.slot, pkcs11.CKF_SERIAL_SESSION);
  const session = { pkcs11, module, handle };
  try {
    tolerating(['CKR_USER_ALREADY_LOGGED_IN'], () => module.C_Login(handle, pkcs11.CKU_USER, pin));
    return session;
  } catch (error) {
    closeSession(session);
    throw error;
  }
};

/** The session may have ended. */
export const closeSession = ({ module, handle }: Session): void => {
  try {
    module.C_CloseSession(handle);
  } catch {
    // Nothing is left to close.
  }
};
