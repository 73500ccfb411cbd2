/** `agent.mjs` as `assay init` writes it for programs and servers. A test keeps it the same as examples/flight-booking/agent.mjs. */
export const JAVASCRIPT_AGENT = `// A small booking agent without a model: it answers the same way every time, so its tests need no key and no network.
// A real agent would ask a model here; the contract is the same.
const FLIGHTS = {
  Berlin: [
    { flight: 'EJ8617', price: 74 },
    { flight: 'BA0982', price: 129 },
  ],
  Lisbon: [{ flight: 'TP1339', price: 98 }],
  Tokyo: [
    { flight: 'JL0044', price: 640 },
    { flight: 'NH0212', price: 702 },
  ],
};

export function agent(input, memory) {
  const name = /my name is ([a-z]+)/i.exec(input)?.[1];
  if (name !== undefined) {
    return {
      output: \`Hello \${name}. Where would you like to fly?\`,
      tools_used: [],
      memory: { ...memory, user: name },
    };
  }
  const city = /(?:flight|flights|fly) to ([a-z]+)/i.exec(input)?.[1];
  if (city !== undefined) return search(city, memory);
  if (/^yes/i.test(input) && memory.offer !== undefined) return book(memory.offer, memory);
  return { output: 'I can find and book flights. Where would you like to fly?', tools_used: [], memory };
}

function search(to, memory) {
  const from = memory.home_airport ?? 'Gatwick';
  const [cheapest, ...others] = FLIGHTS[to] ?? [];
  if (cheapest === undefined) {
    return { output: \`I found no flight from \${from} to \${to}.\`, tools_used: ['search_flights'], memory };
  }
  const found = others.length === 0 ? 'one flight' : \`\${others.length + 1} flights\`;
  return {
    output: \`I found \${found} from \${from} to \${to}. The cheapest is \${cheapest.flight} for \${cheapest.price} GBP. Shall I book it?\`,
    tools_used: ['search_flights'],
    memory: { ...memory, offer: { ...cheapest, from, to } },
  };
}

function book(offer, { offer: _booked, ...memory }) {
  const reference = \`\${offer.flight}-\${(memory.user ?? 'guest').toUpperCase()}\`;
  return {
    output: \`Booked \${offer.flight} from \${offer.from} to \${offer.to} for \${offer.price} GBP. Your reference is \${reference}.\`,
    tools_used: ['book_flight', 'send_confirmation'],
    memory: { ...memory, last_booking: { ...offer, reference } },
  };
}
`;
