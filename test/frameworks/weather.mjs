/** What the tools of every agent here do. */
const CELSIUS = {
  Athens: 27,
  Berlin: 15,
  Cairo: 31,
  Dublin: 11,
  Geneva: 14,
  Lima: 19,
  Madrid: 24,
  Oslo: 3,
  Paris: 18,
  Rome: 22,
  Tokyo: 20,
  Vienna: 16,
};

export const CITIES = Object.keys(CELSIUS);

/** Oslo takes its time. */
export async function getWeather({ city }) {
  if (city === 'Oslo') await new Promise((resolve) => setTimeout(resolve, 400));
  return { city, celsius: CELSIUS[city] };
}

export function deleteAccount({ reason }) {
  return { deleted: true, reason };
}
