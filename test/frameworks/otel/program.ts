import { agent } from './ai-sdk-7.ts';
import { provider } from './tracing.ts';

/** Answers one request, and sends its spans before it ends, unless it is told not to. */
let text = '';
for await (const chunk of process.stdin) text += String(chunk);
const { input } = JSON.parse(text) as { readonly input: string };
const output = await agent(input);
if (!process.argv.includes('--no-shutdown')) await provider.shutdown();
console.log(JSON.stringify({ output }));
process.exit(0);
