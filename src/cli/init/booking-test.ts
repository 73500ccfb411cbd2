/** `booking.test.yaml` as `assay init` writes it. A test keeps it the same as examples/flight-booking/booking.test.yaml. */
export const BOOKING_TEST = `description: Ada books a flight to Berlin
memory:
  home_airport: Gatwick
steps:
  - input: Hi, my name is Ada.
    assert:
      output.includes: Hello Ada
      tools_used: []
      memory.user: Ada
      memory.home_airport: Gatwick

  - input: Is there a flight to Berlin next week?
    assert:
      output.includes: Gatwick
      output.matches: EJ8617 for \\d+ GBP
      tools_used: [search_flights]
      memory.offer.to: Berlin
      memory.offer.price: 74

  - input: Yes, book it.
    assert:
      output.equals: Booked EJ8617 from Gatwick to Berlin for 74 GBP. Your reference is EJ8617-ADA.
      tools_used: [book_flight, send_confirmation]
      memory.last_booking.reference: EJ8617-ADA
      memory.last_booking.to: Berlin
`;
