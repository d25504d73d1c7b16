/** The documented limits of Firestore in Datastore mode. */
export const limits = {
  maxLookupKeys: 1_000,
  maxTransactionBytes: 10 * 1024 * 1024,
  maxEntityBytes: 1_048_572,
  maxKeyBytes: 6 * 1024,
  maxNameBytes: 1_500,
  maxPathElements: 100,
  maxIndexedBytes: 1_500,
  maxUnindexedBytes: 1_048_487,
  maxDepth: 20,
  maxIndexedValues: 20_000,
  maxTransactionSeconds: 270,
  maxIdleSeconds: 60,
};
