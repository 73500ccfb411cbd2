// A small support agent. `--careful` looks the order up before it answers.
import { text } from 'node:stream/consumers';

const { input } = JSON.parse(await text(process.stdin));
const isCareful = process.argv.includes('--careful');
const isRefund = /refund|money back/i.test(input);
const order = /\b(\d{3})\b/.exec(input)?.[1];
const answer = isRefund
  ? `You get your money back within ${process.env.REFUND_DAYS ?? '30'} days.`
  : 'Your order is on its way.';
console.log(
  JSON.stringify({
    output: isCareful && order !== undefined ? `Order ${order}: ${answer}` : answer,
    tools_used: isCareful && order !== undefined ? ['look_up_order'] : [],
    cost_usd: isCareful ? 0.002 : 0.001,
  }),
);
