export { parseEndpoint } from './endpoint.ts';
export { openRestClient, type RestAnswer, type RestClient, type RestRequest } from './rest-client.ts';
