import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTool, riskOf, TOOL_NAMES, toolsNamed } from './list.ts';
import { readServerToolName } from './server-tool.ts';

test('risks: reading is low, scripts are medium, everything else is high', () => {
  const byRisk = Object.groupBy(TOOL_NAMES, riskOf);
  assert.deepEqual(byRisk.low, ['read_file', 'list_dir', 'grep']);
  assert.deepEqual(byRisk.medium, ['run_script']);
  assert.deepEqual(byRisk.high, [
    'run_command',
    'write_file',
    'delete_file',
    'move_file',
    'network_request',
    'run_shell',
    'server_tool',
  ]);
});

test("other agents' names are understood", () => {
  const named: Record<string, string> = {
    Bash: 'run_command',
    shell_exec: 'run_command',
    Read: 'read_file',
    Write: 'write_file',
    Edit: 'write_file',
    MultiEdit: 'write_file',
    Glob: 'list_dir',
    LS: 'list_dir',
    Grep: 'grep',
    WebFetch: 'network_request',
    WebSearch: 'network_request',
    network: 'network_request',
    Move: 'move_file',
    mv: 'move_file',
    'run-script': 'run_script',
  };
  for (const [name, tool] of Object.entries(named)) assert.equal(findTool(name), tool, name);
});

test('an unknown name stands for no tool', () => {
  for (const name of ['', 'Task', 'constructor', '__proto__', 'toString', 'mcp_x_y', 'Βash', 'Bash;']) {
    assert.equal(findTool(name), undefined, name);
    assert.deepEqual(toolsNamed(name), [], name);
  }
});

test('a tool of a server is named in both spellings, and a server stands for all of its tools', () => {
  for (const name of ['mcp:files/read', 'mcp__files__read', 'mcp__files', 'mcp:files'])
    assert.deepEqual(toolsNamed(name), ['server_tool'], name);
  assert.deepEqual(['mcp:a-b/c/d', 'mcp__A_b__c__d', 'mcp__a__*', 'mcp:', 'mcp', 'x:y/z'].map(readServerToolName), [
    { server: 'a-b', tool: 'c/d' },
    { server: 'a-b', tool: 'c__d' },
    { server: 'a' },
    undefined,
    undefined,
    undefined,
  ]);
});
