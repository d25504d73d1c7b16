/**
 * The signer port: keys that Carnet signs with and never holds, in a key management service or a hardware security module.
 * Carnet keeps the state of each key (announced, active, retired), the deadline of each call, its repetition and the check
 * of each signature. A signer lists the keys and signs.
 */

import type { JsonWebKeyInput } from 'node:crypto';
import type { SigningAlgorithm } from './algorithm.ts';

/** One version of a key in a service. A new version is a new key. */
export interface RemoteKey {
  /** Names this version at the service, always the same and never reused. Not secret: it is stored and logged. */
  readonly handle: string;
  readonly alg: SigningAlgorithm;
  /** The public members. */
  readonly publicKey: JsonWebKeyInput['key'];
  /** Only where the service demands its own. Default: the thumbprint of the public key (RFC 7638). */
  readonly kid?: string;
}

export interface RemoteSignature {
  /** The JWS signature: for ES256 the 64 bytes of RFC 7518, section 3.4, not DER; for RS256 PKCS #1 v1.5, not PSS. */
  readonly signature: Uint8Array;
  /**
   * The `kid` of the key that signed, where the service chooses it (Google's IAM). If it is another than the one in the
   * header, Carnet signs the token again, with this one in the header.
   */
  readonly kid?: string;
}

/** The service did not answer, or refused because it is busy or limits requests. Carnet repeats the call once. */
export class SignerUnavailableError extends Error {
  override readonly name = 'SignerUnavailableError';
}

/**
 * The service answered, but an operator must act: the key is missing or disabled, a permission or a credential is wrong. The
 * message says what to do, and has no secret. Carnet does not repeat the call.
 */
export class SignerUnfitError extends Error {
  override readonly name = 'SignerUnfitError';
}

export interface CallOptions {
  /** Aborted at the deadline of the call. A signer that cannot end a call leaves it: Carnet does not wait for it. */
  readonly signal: AbortSignal;
}

export interface RemoteSigner {
  /** The kind of service for metrics and logs, such as `aws-kms`. */
  readonly service: string;

  /**
   * Lists the keys that can sign now, for each algorithm from the oldest to the newest. Keys that are disabled, scheduled
   * for deletion, or of a type that Carnet does not sign with are left out.
   *
   * Law: a key that is listed can sign. Law: the same key always has the same handle and the same public members.
   *
   * @throws SignerUnavailableError, SignerUnfitError
   */
  keys(options: CallOptions): Promise<readonly RemoteKey[]>;

  /**
   * Signs `data`, the `header.payload` of a JWS, which may have any length from 1 byte to 1 MiB.
   *
   * Law: the signature verifies with the public key of exactly this version, also after a newer version exists. Law: up to
   * 100 calls may run at once. Law: after an outage or the end of a session, the next call connects again.
   *
   * @throws SignerUnavailableError, SignerUnfitError
   */
  sign(key: RemoteKey, data: Uint8Array, options: CallOptions): Promise<RemoteSignature>;

  /** Release everything. Later calls reject. */
  close(): Promise<void>;
}

/**
 * The export `openSigner` of a signer package. Carnet opens its own signers by URL (`keys.signer`). An application opens
 * other signers and passes them to `createProvider(config, { signers })`. Opening needs no answer of the service.
 *
 * @throws SignerUnfitError if the URL is not valid, or a module or a credential is missing
 */
export type OpenSigner = (options: { readonly url: string }) => Promise<RemoteSigner>;

/**
 * Encrypts a short secret with a key that does not leave the service: Carnet wraps the key that encrypts its own signing keys
 * in the store, and calls `unwrap` once, when a process starts.
 */
export interface KeyWrapper {
  /** Encrypts at most 64 bytes. @throws SignerUnavailableError, SignerUnfitError */
  wrap(secret: Uint8Array, options: CallOptions): Promise<Uint8Array>;
  /**
   * Law: returns the secret of any `wrap`, also after the key was rotated at the service, and rejects anything that was
   * changed.
   *
   * @throws SignerUnavailableError, SignerUnfitError
   */
  unwrap(wrapped: Uint8Array, options: CallOptions): Promise<Uint8Array>;
  /** Release everything. Later calls reject. */
  close(): Promise<void>;
}

/**
 * The export `openKeyWrapper` of a signer package whose service encrypts (`keys.sealedBy`).
 *
 * @throws SignerUnfitError if the URL is not valid, or a module or a credential is missing
 */
export type OpenKeyWrapper = (options: { readonly url: string }) => Promise<KeyWrapper>;
