import type { Trace } from './trace.ts';

/**
 * The same trace with one form of name for the tools of MCP servers: `mcp__server__tool`. Programs write `mcp_server_tool` (Gemini CLI),
 * `server_tool` (opencode) or `server-tool` (Copilot), which only the names of the servers tell from other tools.
 */
export function withServerNames<T extends Trace>(trace: T, servers: readonly string[]): T {
  if (servers.length === 0) return trace;
  return {
    ...trace,
    tool_calls: trace.tool_calls?.map((call) => ({ ...call, tool: fullName(call.tool, servers) })),
    offered_tools: trace.offered_tools?.map((tool) => fullName(tool, servers)),
  };
}

function fullName(tool: string, servers: readonly string[]): string {
  if (tool.startsWith('mcp__')) return tool;
  // Of `git` and `git_hub`, the longer name is meant.
  for (const server of servers.toSorted((one, other) => other.length - one.length)) {
    const written = server.replaceAll(/[^\w-]/g, '_');
    for (const prefix of [`mcp_${written}_`, `${written}__`, `${written}_`, `${written}-`])
      if (tool.startsWith(prefix) && tool.length > prefix.length)
        return `mcp__${server}__${tool.slice(prefix.length)}`;
  }
  return tool;
}
