/** `agent.py` as `assay init` writes it. A test keeps it the same as examples/flight-booking/agent.py. */
export const PYTHON_AGENT = `"""A small booking agent without a model: it answers the same way every time, so its tests need no key and no network.

A real agent would ask a model here; the contract is the same.
"""

import re

FLIGHTS = {
    "Berlin": [{"flight": "EJ8617", "price": 74}, {"flight": "BA0982", "price": 129}],
    "Lisbon": [{"flight": "TP1339", "price": 98}],
    "Tokyo": [{"flight": "JL0044", "price": 640}, {"flight": "NH0212", "price": 702}],
}


def agent(input_text, memory):
    name = re.search("my name is ([a-z]+)", input_text, re.IGNORECASE)
    if name:
        return {
            "output": f"Hello {name[1]}. Where would you like to fly?",
            "tools_used": [],
            "memory": {**memory, "user": name[1]},
        }
    city = re.search("(?:flight|flights|fly) to ([a-z]+)", input_text, re.IGNORECASE)
    if city:
        return search(city[1], memory)
    if input_text.lower().startswith("yes") and "offer" in memory:
        return book(memory)
    return {
        "output": "I can find and book flights. Where would you like to fly?",
        "tools_used": [],
        "memory": memory,
    }


def search(to, memory):
    start = memory.get("home_airport", "Gatwick")
    flights = FLIGHTS.get(to, [])
    if not flights:
        return {
            "output": f"I found no flight from {start} to {to}.",
            "tools_used": ["search_flights"],
            "memory": memory,
        }
    cheapest = flights[0]
    found = "one flight" if len(flights) == 1 else f"{len(flights)} flights"
    return {
        "output": f"I found {found} from {start} to {to}. "
        f"The cheapest is {cheapest['flight']} for {cheapest['price']} GBP. Shall I book it?",
        "tools_used": ["search_flights"],
        "memory": {**memory, "offer": {**cheapest, "from": start, "to": to}},
    }


def book(memory):
    offer = memory["offer"]
    reference = f"{offer['flight']}-{memory.get('user', 'guest').upper()}"
    kept = {key: value for key, value in memory.items() if key != "offer"}
    return {
        "output": f"Booked {offer['flight']} from {offer['from']} to {offer['to']} for {offer['price']} GBP. "
        f"Your reference is {reference}.",
        "tools_used": ["book_flight", "send_confirmation"],
        "memory": {**kept, "last_booking": {**offer, "reference": reference}},
    }
`;
