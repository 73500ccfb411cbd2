// The agent as an HTTP server: a POST with the request as JSON is answered with the reply as JSON.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { agent } from './agent.mjs';

const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.method !== 'POST') {
    response.end('{"status":"ready"}');
    return;
  }
  const { input, memory } = JSON.parse(await text(request));
  response.end(JSON.stringify(agent(input, memory)));
});
server.listen(18_734, '127.0.0.1');
