import { apiDocument } from '../../packages/provider/test/api-document.ts';

/** docs/reference/openapi.json: the document as a provider serves it that has everything switched on. */
export const openApiDocs = async (): Promise<string> => `${JSON.stringify(await apiDocument(), null, 2)}\n`;
