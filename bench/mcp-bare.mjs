// A server of the SDK alone, with five tools, on stdin and stdout: what any MCP server needs to start.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const server = new McpServer({ name: 'bare', version: '1.0.0' });
for (let number = 0; number < 5; number++)
  server.registerTool(`echo-${number}`, { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
await server.connect(new StdioServerTransport());
