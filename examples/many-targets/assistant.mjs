// One function, two agents: `with` in assay.config.yaml decides how it answers.
export function agent(input, memory, { settings }) {
  const answer = /refund|money back/i.test(input)
    ? `You get your money back within ${settings.refund_days} days.`
    : 'Your order is on its way.';
  return {
    output: settings.is_polite ? `Thank you for asking. ${answer}` : answer,
    tools_used: [],
    cost_usd: 0.001,
  };
}
