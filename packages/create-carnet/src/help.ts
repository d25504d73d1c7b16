export const help = `Creates an OpenID Connect provider with Carnet.

Usage: npm create carnet [folder] -- [flags]

  --framework <name>    express, koa, fastify, next, or standalone (\`carnet serve\`)
  --store <name>        sqlite or postgres
  --database-url <url>  of an existing Postgres database; without it, the project has a compose.yaml with Postgres
  --pages <kind>        own: login and consent forms in the project; bundled: the pages of @carnet/consent-ui
  --mcp                 also an authorization server for MCP servers, with an MCP server as an example
  --install             install the dependencies; --no-install leaves this to you
  -y, --yes             take the default for every question without a flag
  -h, --help            show this text

Without flags, the command asks. The folder must be empty.
Example: npm create carnet my-app -- --framework express --store sqlite --pages own --yes
`;
