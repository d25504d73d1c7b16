export { readDiscovery } from '../../server/documents.ts';
