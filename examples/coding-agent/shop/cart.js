export const total = (prices) => prices[0];
