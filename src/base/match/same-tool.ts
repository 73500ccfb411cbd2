/**
 * Names of one tool: `mcp__server__tool` and `tool`, because programs add the server's name, and people and servers leave it out; also as
 * single programs write it (`server_tool`, `server-tool`, `mcp_server_tool`), and with the prefixes that models add by themselves
 * (`functions.tool`, `default_api.tool`).
 */
export function isSameTool(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [withoutNamespace(one), withoutNamespace(other)];
  return first === second || isServerTool(first, second) || isServerTool(second, first);
}

/** Whether a full name of a tool of an MCP server means the other one. */
function isServerTool(full: string, other: string): boolean {
  if (!full.startsWith('mcp__')) return false;
  const match = MCP_NAME.exec(full);
  if (match === null) return false;
  const [, server, tool] = match as unknown as [string, string, string];
  return (
    other === tool ||
    other === `${server}_${tool}` ||
    other === `mcp_${server}_${tool}` ||
    other === `${server}-${tool}`
  );
}

/** A server's name holds no double underscore, a tool's may. */
const MCP_NAME = /^mcp__((?:(?!__).)+)__(.+)$/s;

function withoutNamespace(tool: string): string {
  return tool.startsWith('functions.') || tool.startsWith('default_api.')
    ? tool.slice(tool.indexOf('.') + 1)
    : tool;
}
