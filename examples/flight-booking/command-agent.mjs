// The agent as a program: one request as JSON on stdin, one reply as JSON on stdout. Any language can do this.
import { text } from 'node:stream/consumers';
import { agent } from './agent.mjs';

const { input, memory } = JSON.parse(await text(process.stdin));
console.log(JSON.stringify(agent(input, memory)));
