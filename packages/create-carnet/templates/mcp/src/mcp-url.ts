const { MCP_PORT = '3002', MCP_URL = `http://localhost:${MCP_PORT}/mcp` } = process.env;

export const mcpPort = Number(MCP_PORT);

/** The URL of the MCP server, and so the audience of its access tokens. */
export const mcpUrl = MCP_URL;
