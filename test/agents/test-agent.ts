import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/model/json.ts';
import { parseJson } from '../../src/base/model/parse-json.ts';
import { readBody, sendJson } from '../servers/http-json.ts';
import { dialectFor } from '../servers/model-dialects.ts';

/** The agent of the contract suite in every form that a target can name, and a server with it. */
export interface TestAgent {
  /** A target with the address of the server, where it names one. */
  place(target: JsonObject): JsonObject;
  close(): Promise<void>;
}

/** Writes `agent.ts`, `agent.py` and `agent` into a folder, and starts the server that examples have at port 8000. */
export async function startTestAgent(folder: string): Promise<TestAgent> {
  const head = `import * as fs from 'node:fs';`;
  const types = { input: ': string', memory: ': Record<string, any>', context: ': any' };
  const source = [head, functionSource(folder, types), 'export { agent };\nexport const workers = 4;'];
  writeFileSync(join(folder, 'agent.ts'), source.join('\n'));
  writeFileSync(join(folder, 'agent.py'), PYTHON_FILE);
  writeFileSync(join(folder, 'agent'), PROGRAM, { mode: 0o755 });
  const handler = testServer(folder);
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    place(target) {
      const placed = JSON.stringify(target).replaceAll('127.0.0.1:8000', `127.0.0.1:${port}`);
      return JSON.parse(placed) as JsonObject;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The function of the test agent, in JavaScript or TypeScript. */
export function functionSource(
  folder: string,
  types: { readonly input: string; readonly memory: string; readonly context: string },
): string {
  return `
async function agent(input${types.input}, memory${types.memory}, context${types.context}) {
  const folder = ${JSON.stringify(folder)};
  switch (input) {
    case 'mutate':
      memory.list.push(2);
      delete memory.inner.a;
      return { output: '', memory };
    case 'number':
      return { output: 5 };
    case 'crash':
      throw new TypeError('boom');
    case 'exit':
      return process.exit(3);
    case 'kill':
      setTimeout(() => process.exit(4), 1);
      return new Promise(() => {});
    case 'garbage': {
      const memory = {};
      memory.self = memory;
      return { output: '', memory };
    }
    case 'unencodable':
      return { output: '', memory: { list: [new Set([1])] } };
    case 'flood':
      return 'x'.repeat(11 * 1024 * 1024);
    case 'text':
      return 'just text\\n';
    case 'print':
      await null;
      console.error('to %s é', 'stderr');
      return { output: 'printed' };
    case 'late':
      fs.writeFileSync(folder + '/pid', String(process.pid));
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      setImmediate(() => fs.writeFileSync(folder + '/late', ''));
      return { output: 'late', memory: { late: true } };
    case 'slow':
      fs.writeFileSync(folder + '/pid', String(process.pid));
      return new Promise((resolve) => context.signal.addEventListener('abort', () => {}));
    default:
      return { output: input, memory, tools_used: ['echo_tool'] };
  }
}
`;
}

const PROGRAM = String.raw`#!/usr/bin/env -S python3 -S
import os, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))

def tell_pid():
    with open(FOLDER + "/pid", "w") as file:
        file.write(str(os.getpid()))

if "--batch" in sys.argv:
    print('{"id": "a test", "output": "in a batch"}')
    sys.exit(0)
prompt = sys.argv[sys.argv.index("--prompt") + 1] if "--prompt" in sys.argv else None
# The first argument of each coding agent.
form = {"-p": "claude", "exec": "codex", "--output-format": "gemini", "run": "opencode"}.get("".join(sys.argv[1:2]))
if form is not None:
    prompt = sys.stdin.buffer.read().decode()
if "--acp" in sys.argv:
    import json
    form = "acp"
    while prompt is None:
        message = json.loads(sys.stdin.buffer.readline() or sys.exit(0))
        if message["method"] == "session/prompt":
            prompt = message["params"]["prompt"][0]["text"]
        elif "id" in message:
            result = {"initialize": {"protocolVersion": 1}, "session/new": {"sessionId": "s1"}}[message["method"]]
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
if "--output" in sys.argv:
    sys.stdout = open(sys.argv[sys.argv.index("--output") + 1], "w")
head = os.read(0, 40) if prompt is None else b""
if b'"unread ' in head:
    print('{"output": "did not read"}')
    sys.exit(0)
if b'"crash"' in head or prompt == "crash":
    raise ValueError("boom")
import json
request = {"input": prompt, "memory": {}} if prompt is not None else json.loads(head + sys.stdin.buffer.read())
word, memory = request["input"], request["memory"]
reply = {"output": word, "memory": memory, "tools_used": ["echo_tool"]}
if word == "mutate":
    memory["list"].append(2)
    del memory["inner"]["a"]
elif word == "number":
    reply = {"output": 5}
elif word == "exit":
    print(json.dumps(reply))
    print("first\nlast words", file=sys.stderr)
    sys.exit(3)
elif word == "kill":
    os.kill(os.getpid(), 9)
elif word == "flood":
    while True:
        os.write(1, b"x" * 65536)
elif word == "text":
    print("just text\n")
    sys.exit(0)
elif word == "print":
    print("to stderr é", file=sys.stderr)
    reply = {"output": "printed"}
elif word in ("slow", "stubborn"):
    import signal, subprocess, time
    if word == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    subprocess.Popen(["sleep", "60"])
    tell_pid()
    time.sleep(60)
elif word == "grandchild":
    import subprocess
    subprocess.Popen(["sleep", "60"])
    tell_pid()
    reply = {"output": "left one"}

def events(text):
    if form == "claude":
        call = {"type": "tool_use", "id": "t1", "name": "echo_tool", "input": {}}
        return [
            {"type": "assistant", "session_id": "s1", "message": {"id": "m1", "role": "assistant", "content": [call]}},
            {"type": "result", "subtype": "success", "is_error": False, "session_id": "s1", "result": text},
        ]
    if form == "codex":
        call = {"id": "i1", "type": "mcp_tool_call", "tool": "echo_tool", "arguments": {}, "status": "completed"}
        return [
            {"type": "thread.started", "thread_id": "s1"},
            {"type": "turn.started"},
            {"type": "item.completed", "item": call},
            {"type": "item.completed", "item": {"id": "i2", "type": "agent_message", "text": text}},
            {"type": "turn.completed", "usage": {"input_tokens": 5, "output_tokens": 5}},
        ]
    if form == "gemini":
        return [
            {"type": "init", "session_id": "s1", "model": "m"},
            {"type": "tool_use", "tool_name": "echo_tool", "tool_id": "t1", "parameters": {}},
            {"type": "tool_result", "tool_id": "t1", "status": "success", "output": ""},
            {"type": "message", "role": "assistant", "content": text, "delta": True},
            {"type": "result", "status": "success", "stats": {}},
        ]
    if form == "acp":
        said = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
        call = {"sessionUpdate": "tool_call", "toolCallId": "c1", "title": "echo_tool", "status": "completed"}
        updates = [{"method": "session/update", "params": {"sessionId": "s1", "update": each}} for each in (call, said)]
        end = {"id": message["id"], "result": {"stopReason": "end_turn"}}
        return [{"jsonrpc": "2.0", **each} for each in (*updates, end)]
    parts = [
        ("step_start", {"type": "step-start"}),
        ("tool_use", {"type": "tool", "tool": "echo_tool", "callID": "c1", "state": {"status": "completed", "input": {}}}),
        ("text", {"type": "text", "text": text}),
        ("step_finish", {"type": "step-finish", "reason": "stop"}),
    ]
    return [{"type": kind, "sessionID": "s1", "part": {**part, "messageID": "m1"}} for kind, part in parts]

lines = [reply] if form is None else events(reply["output"])
sys.stdout.write("".join(json.dumps(line) + "\n" for line in lines))
if form == "acp":
    # For the next prompt.
    sys.stdout.flush()
    os.execv(__file__, sys.argv)
`;

const PYTHON_FILE = String.raw`
import os, sys

FOLDER = os.path.dirname(__file__)

def tell_pid():
    with open(FOLDER + "/pid", "w") as file:
        file.write(str(os.getpid()))

def agent(input_text, memory):
    if input_text == "mutate":
        memory["list"].append(2)
        del memory["inner"]["a"]
        return {"output": "", "memory": memory}
    if input_text == "number":
        return {"output": 5}
    if input_text == "crash":
        os._exit(7)
    if input_text == "exit":
        print("last words", file=sys.stderr)
        sys.exit(3)
    if input_text == "kill":
        os.kill(os.getpid(), 11)
    if input_text == "garbage":
        os.write(4, b'{"reply": tr\n')
        return {"output": "late"}
    if input_text == "unencodable":
        return {"output": "", "memory": {"list": [{1, 2}]}}
    if input_text == "flood":
        return "x" * (11 * 1024 * 1024)
    if input_text == "text":
        return "just text\n"
    if input_text == "print":
        print('{"reply": 1}')
        print("to stderr é", file=sys.stderr)
        return {"output": "printed"}
    if input_text in ("slow", "stubborn"):
        import signal, time
        if input_text == "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        tell_pid()
        time.sleep(60)
    if input_text == "grandchild":
        import subprocess
        subprocess.Popen(["sleep", "60"])
        tell_pid()
        return {"output": "left one"}
    return {"output": input_text, "memory": memory, "tools_used": ["echo_tool"]}
`;

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** The test agent at `/agent`, and the same as a model at `/v1`. */
function testServer(folder: string): Handler {
  return async (request, response) => {
    if (Number(request.headers['content-length']) > 2_999_999 && request.url === '/agent') {
      const first = await new Promise<Buffer>((resolve) => request.once('data', resolve));
      if (first.includes('"unread ')) return sendJson(response, { output: 'did not read' });
      request.unshift(first);
    }
    const body = parseJson(await readBody(request)) as JsonObject;
    const isModel = request.url!.startsWith('/v1/');
    const { input, memory } = isModel ? { input: lastMessage(body), memory: {} } : body;
    switch (input) {
      case 'mutate':
        return sendJson(response, { output: '', memory: { list: [1, 2], inner: {} } });
      case 'number':
        return sendJson(response, { output: 5 });
      case 'crash':
        return request.socket.destroy();
      case 'exit':
        return response.writeHead(500).end('it hurts');
      case 'garbage':
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{"output": NaN}');
      case 'flood':
        return response.end(Buffer.alloc(11 * 1024 * 1024, 'x'));
      case 'text':
        return response.end('just text\n');
      case 'slow':
        return writeFileSync(join(folder, 'pid'), '1');
      default:
        return isModel
          ? sendJson(response, dialectFor(request.url!)!({ text: input as string }, { body } as never))
          : sendJson(response, { output: input, memory, tools_used: ['echo_tool'] });
    }
  };
}

function lastMessage({ messages }: JsonObject): string {
  const { content } = (messages as { role: string; content: string | { text: string }[] }[]).at(-1)!;
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}
