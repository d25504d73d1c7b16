/** `@carnet/provider/clients`: the schema of a client, and clients as the store has them. */
export { fromStoredRecord } from '../clients/client-record.ts';
export { clientBody } from '../clients/client-schema.ts';
export { warningsOf } from '../clients/client-warnings.ts';
export { configuredClients } from '../clients/configured/clients.ts';
export { parseClient } from '../clients/parse-client.ts';
export { fieldMessage } from '../validation.ts';
