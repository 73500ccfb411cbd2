/** `mcp__server__tool` and `tool` are one tool: programs add the server's name, people and servers leave it out. */
export function isSameTool(one: string, other: string): boolean {
  return one === other || bareName(one) === other || one === bareName(other);
}

/** Without the name of the MCP server. A server's name holds no double underscore, a tool's may. */
function bareName(tool: string): string {
  if (!tool.startsWith('mcp__')) return tool;
  const match = MCP_NAME.exec(tool);
  return match === null ? tool : match[1]!;
}

const MCP_NAME = /^mcp__(?:(?!__).)+__(.+)$/s;
