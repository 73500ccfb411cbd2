import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Started {
  readonly argv: readonly string[];
  readonly prompt: string;
  readonly cwd: string;
  readonly permission: string | null;
}

/**
 * Programs `claude`, `codex`, `gemini` and `opencode` in a folder: each keeps its sessions, and prints events as the real one does. The
 * words of a prompt make it misbehave. The n-th turn of a session uses 100n tokens in and 10n out.
 */
export function writeFakeCodingAgents(folder: string): { starts(): readonly Started[] } {
  mkdirSync(folder, { recursive: true });
  for (const name of ['claude', 'codex', 'gemini', 'opencode'])
    writeFileSync(join(folder, name), FAKE, { mode: 0o755 });
  return {
    starts: () =>
      readFileSync(join(folder, 'starts'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Started),
  };
}

const FAKE = String.raw`#!/usr/bin/env -S python3 -S
import json, os, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
name = os.path.basename(__file__)
prompt = sys.stdin.buffer.read().decode()
with open(FOLDER + "/starts", "a") as file:
    start = {"argv": [name] + sys.argv[1:], "prompt": prompt, "cwd": os.environ["PWD"] if name == "opencode" else os.getcwd()}
    file.write(json.dumps({**start, "permission": os.environ.get("OPENCODE_PERMISSION")}) + "\n")

flag = {"claude": "--resume", "codex": "resume", "gemini": "--resume", "opencode": "--session"}[name]
session = sys.argv[sys.argv.index(flag) + 1] if flag in sys.argv else f"{name}-{os.getpid()}"
path = f"{FOLDER}/{session}.json"
turn = 1
if flag in sys.argv:
    with open(path) as file:
        turn = json.load(file) + 1
with open(path, "w") as file:
    json.dump(turn, file)

def tell(*events):
    for event in events:
        print(json.dumps(event), flush=True)

if "nothing" in prompt:
    sys.exit(0)
if "prose" in prompt:
    print("Hello!")
    sys.exit(0)
if "logged out" in prompt:
    if name == "claude":
        tell({"type": "result", "subtype": "success", "is_error": True, "session_id": session, "num_turns": 1,
              "result": "Not logged in \u00b7 Please run /login"})
    elif name == "codex":
        tell({"type": "thread.started", "thread_id": session}, {"type": "turn.started"},
             {"type": "turn.failed", "error": {"message": "unexpected status 401 Unauthorized: Missing bearer"}})
    elif name == "gemini":
        print("Please set an Auth method in your settings.json or specify GEMINI_API_KEY", file=sys.stderr)
    else:
        tell({"type": "error", "sessionID": session, "error": {"name": "ProviderAuthError",
              "data": {"message": "Anthropic API key is missing."}}})
    sys.exit(41 if name == "gemini" else 1)
if "busy" in prompt:
    tell({"type": "result", "subtype": "success", "is_error": True, "session_id": session, "num_turns": 1,
          "result": "API Error: 529 Overloaded"})
    sys.exit(1)

tokens, made = 100 * turn, 10 * turn
total, all_made = 50 * turn * (turn + 1), 5 * turn * (turn + 1)
text = f"turn {turn}: {prompt}"
half, cut = "half" in prompt, "cut" in prompt
if name == "claude":
    usage = {"input_tokens": tokens, "output_tokens": made}
    say = lambda block: {"type": "assistant", "session_id": session, "message": {
        "id": f"m{turn}", "role": "assistant", "model": "claude-haiku-4-5", "content": [block], "usage": usage}}
    # The figures of a session are totals, and every line of a message repeats those of the message.
    end = {"type": "result", "subtype": "success", "is_error": False, "session_id": session, "result": text, "usage": usage,
           "total_cost_usd": total / 1e6, "modelUsage": {"claude-haiku-4-5": {"inputTokens": total, "outputTokens": all_made}}}
    use = {"type": "tool_use", "id": "t1", "name": "mcp__files__Read", "input": {"path": prompt}}
    events = [{"type": "system", "subtype": "init", "session_id": session}, say(use), say({"type": "text", "text": text})]
    # Work in the background: a turn of its own, with a result of its own.
    if "background" in prompt:
        events += [{**end, "result": "Started."}, say({**use, "id": "t2", "name": "Bash"})]
    events += [end]
elif name == "codex":
    call = {"id": "i1", "type": "command_execution", "command": prompt, "status": "completed", "exit_code": 0, "aggregated_output": ""}
    events = [{"type": "thread.started", "thread_id": session}, {"type": "turn.started"}, {"type": "item.completed", "item": call},
              {"type": "item.completed", "item": {"id": "i2", "type": "agent_message", "text": text}},
              {"type": "turn.completed", "usage": {"input_tokens": total, "output_tokens": all_made}}]
elif name == "gemini":
    stats = {"input_tokens": tokens, "output_tokens": made, "total_tokens": tokens + made}
    events = [{"type": "init", "session_id": session, "model": "gemini-2.5-flash"},
              {"type": "tool_use", "tool_name": "run_shell_command", "tool_id": "t1", "parameters": {"command": prompt}},
              {"type": "tool_result", "tool_id": "t1", "status": "success", "output": ""},
              {"type": "message", "role": "assistant", "content": text, "delta": True},
              {"type": "result", "status": "success", "stats": stats}]
else:
    part = lambda kind, part: {"type": kind, "sessionID": session, "part": {**part, "messageID": "m1"}}
    state = {"status": "completed", "input": {"command": prompt}, "output": ""}
    events = [part("step_start", {"type": "step-start"}),
              part("tool_use", {"type": "tool", "tool": "bash", "callID": "c1", "state": state}),
              part("text", {"type": "text", "text": text}),
              part("step_finish", {"type": "step-finish", "reason": "tool-calls" if half else "stop", "cost": tokens / 1e6,
                                   "tokens": {"input": tokens, "output": made}})]
    half = False
if "nameless" in prompt:
    events = [{key: value for key, value in event.items() if key not in ("session_id", "thread_id")} for event in events]
print("A warning of the program")
tell(*(events[:-1] if half else events))
if cut:
    sys.stdout.write('{"type": "result", "subty')
`;
